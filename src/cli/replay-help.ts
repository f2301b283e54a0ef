/** What `sim-racing-timing replay --help` says. */
export const REPLAY_HELP = `usage: sim-racing-timing replay FILE (--out FILE.ndjson | --out FILE.csv | --out - | --into NAMESPACE)
                    [--from STORE] [--until POINT] [--follow] [--fresh] [--event-timeout SECONDS] [--json]

Runs your own projection over the whole history, and gives you the documents that it makes. The event store is only
read: nothing is appended, and no read model of the service is touched.

FILE is a TypeScript or JavaScript module whose default export is a projection or a list of them:

  import { fullName, lapEvents, lookUps, participants, projection, table } from 'sim-racing-timing';

  const bestLaps = table<{ participant: string; ms: number; at: string }>('bestLaps');

  export default [...lookUps, projection(bestLaps, { own: {}, others: lapEvents }, {
    LapRecorded: async ({ data, at }, look) => {
      const id = data.participantId;
      const best = await look(bestLaps, id);
      if (!data.valid || (best !== null && best.ms <= data.totalTime)) return null;
      if (best !== null) return bestLaps.set(id, { ms: data.totalTime, at });
      const participant = fullName(await look(participants, id));
      return bestLaps.insert(id, { participant, ms: data.totalTime, at });
    },
  })];

Where the documents go
  --out FILE     to a file, when the replay is over: .ndjson (one JSON object a line) or .csv (RFC 4180; null is
                 empty, nested values are JSON; it is meant for notebooks, and formulas in texts are left alone).
                 Ordered by id. Of several tables each has a file, as FILE.<table>.csv. Until then they are in
                 .timing-replay beside the file, so that the same command goes on where it was killed.
  --out -        as NDJSON to standard output; of several tables, each line says which by "collection".
                 Killed, it begins anew.
  --into NAME    to a namespace of their own in the read store of the environment (MONGODB_URL, else DATA_DIR). The
                 same command goes on where the last one ended. Names of the service's own read models are refused.
  --fresh        drop what an earlier run has left, and begin anew: needed with --into when the module has changed

What is read
  --from STORE   a data directory (the service's DATA_DIR) or an address such as esdb://host:2113?tls=false; left out:
                 the store of the environment (EVENTSTORE_URL, else DATA_DIR, else ./data). A service may go on
                 there. The locks of a directory need leave to write in it: read a copy where there is none
  --until POINT  the position of the last event to read, or a time such as 2026-03-01T18:00Z (without an offset, UTC):
                 the first event that happened later ends the replay. Left out: the newest event. Documents go on
                 to a later point, never back
  --follow       go on with events to come, until Ctrl-C; files are written anew when something has changed

  --event-timeout SECONDS   end the replay when the module takes longer for one event; 10
  --json         one JSON object with the result on standard output, for scripts
  -h, --help     this text

  sim-racing-timing replay projections/examples/track-records.ts --out records.csv
  sim-racing-timing replay best-laps.ts --from ./backup --until 2026-01-01 --out - | head
  sim-racing-timing replay best-laps.ts --into best-laps --follow

Types are checked first. Fields whose names begin with _ are the projection's own and are left out of files. Names and
addresses of people are not masked here: handle what you export with care.

Progress goes to standard error, as does what the module prints. Exit codes: 0 done, 1 failed, 2 wrong usage, 130
interrupted (nothing lost: the same command goes on).
`;
