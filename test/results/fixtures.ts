/** Result files of each game, made for these tests after the formats of the games. All names are invented. */

/** The bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The bytes of a text in UTF-16, without a mark. */
export function utf16(text: string, order: 'little-endian' | 'big-endian'): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index += 1) {
    view.setUint16(index * 2, text.charCodeAt(index), order === 'little-endian');
  }
  return bytes;
}

/** The bytes of a text whose characters are all below U+0100, one byte each. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const ACC_DRIVERS = {
  ada: { firstName: 'Ann', lastName: 'Orr', shortName: 'ORR', playerId: 'S1001' },
  bo: { firstName: 'Bo', lastName: 'Lind\nTeam Lind', shortName: 'LIN', playerId: 'S1002' },
  cy: { firstName: '', lastName: 'Cygne', shortName: 'CYG', playerId: 'S1003' },
};

function accLine(carId: number, carModel: number, drivers: readonly object[], timing: object): object {
  return {
    car: { carId, raceNumber: carId - 1_000, carModel, cupCategory: 0, teamName: '', drivers },
    currentDriver: drivers.at(-1),
    currentDriverIndex: drivers.length - 1,
    timing,
    missingMandatoryPitstop: 0,
    driverTotalTimes: [],
  };
}

/** A race of an ACC server: two cars, one with two drivers, and a lap of a car that has left. */
export const ACC_RACE = {
  sessionType: 'R1',
  trackName: 'spa',
  sessionIndex: 2,
  sessionResult: {
    bestlap: 137_500,
    bestSplits: [41_000, 60_000, 36_500],
    isWetSession: 0,
    type: 1,
    leaderBoardLines: [
      accLine(1_001, 32, [ACC_DRIVERS.ada, ACC_DRIVERS.bo], { bestLap: 137_500, totalTime: 420_123, lapCount: 3 }),
      accLine(1_002, 30, [ACC_DRIVERS.cy], { bestLap: 2_147_483_647, totalTime: 2_147_483_647, lapCount: 1 }),
    ],
  },
  laps: [
    { carId: 1_001, driverIndex: 0, laptime: 142_600, isValidForBest: true, splits: [45_000, 61_000, 36_600] },
    { carId: 1_002, driverIndex: 0, laptime: 2_147_483_647, isValidForBest: true, splits: [46_000, 2_147_483_647] },
    { carId: 1_001, driverIndex: 0, laptime: 140_023, isValidForBest: false, splits: [] },
    { carId: 1_001, driverIndex: 1, laptime: 137_500, isValidForBest: true, splits: [41_000, 60_000, 36_500] },
    { carId: 1_009, driverIndex: 0, laptime: 150_000, isValidForBest: true, splits: [50_000, 50_000, 50_000] },
  ],
  penalties: [],
};

/** A race that the game itself has written. */
export const ACC_CLIENT = {
  sessionDef: { sessionType: 10, round: 1 },
  snapShot: {
    bestlap: 101_000,
    leaderBoardLines: [accLine(1, 4, [ACC_DRIVERS.ada], { bestLap: 101_000, totalTime: 204_000, lapCount: 2 })],
  },
  laps: [
    {
      carId: 1,
      driverId: 0,
      lapTime: 103_000,
      splits: [30_000, 40_000, 33_000],
      fuel: 80.5,
      flags: 0,
      timestampMS: 1_000,
    },
    {
      carId: 1,
      driverId: 0,
      lapTime: 101_000,
      splits: [29_000, 39_500, 32_500],
      fuel: 78.5,
      flags: 1,
      timestampMS: 2_000,
    },
  ],
};

function acResult(
  DriverName: string,
  DriverGuid: string,
  CarId: number,
  CarModel: string,
  BestLap: number,
  TotalTime: number,
) {
  return { DriverName, DriverGuid, CarId, CarModel, BestLap, TotalTime, BallastKG: 0 };
}

function acLap(
  DriverName: string,
  DriverGuid: string,
  CarModel: string,
  LapTime: number,
  Cuts: number,
  Sectors: number[],
) {
  return { DriverName, DriverGuid, CarId: 0, CarModel, Timestamp: 1_000, LapTime, Sectors, Cuts, BallastKG: 0 };
}

/** A race of an Assetto Corsa server: an unused slot, and a driver who left and came back. */
export const AC_SERVER = {
  TrackName: 'imola',
  TrackConfig: 'chicane',
  Type: 'RACE',
  DurationSecs: 0,
  RaceLaps: 2,
  Cars: [],
  Result: [
    acResult('Ida Moor', '2001', 0, 'ks_mazda', 95_000, 192_000),
    acResult('Eli Stern', '2002', 3, 'ks_mazda', 999_999_999, 0),
    acResult('Eli Stern', '2002', 1, 'ks_mazda', 96_500, 194_000),
    acResult('Eli Stern', '2002', 4, 'ks_toyota', 999_999_999, 0),
    acResult('', '', 2, 'ks_mazda', 999_999_999, 0),
    acResult('Zed Null', '2003', 5, 'ks_mazda', 999_999_999, 0),
  ],
  Laps: [
    acLap('Ida Moor', '2001', 'ks_mazda', 97_000, 0, [48_000, 49_000]),
    acLap('Eli Stern', '2002', 'ks_mazda', 97_500, 0, [48_500, 49_000]),
    acLap('Ida Moor', '2001', 'ks_mazda', 95_000, 0, [47_000, 48_000]),
    acLap('Eli Stern', '2002', 'ks_mazda', 96_500, 2, []),
  ],
  Events: null,
};

/** The same as assetto-server-manager writes it. */
export const AC_SERVER_MANAGER = {
  ...AC_SERVER,
  Type: 'QUALIFY',
  Date: '2026-03-02T22:03:00Z',
  SessionFile: '2026_3_2_22_3_QUALIFY',
  ChampionshipID: '00000000-0000-0000-0000-000000000000',
};

/** What the game writes after a practice and a race. */
export const AC_CLIENT = {
  track: 'magione',
  number_of_sessions: 3,
  players: [
    { name: 'Ned Vale', car: 'abarth500', skin: 'red' },
    { name: 'Una Frost', car: 'abarth500_s1', skin: 'blue' },
  ],
  sessions: [
    {
      name: 'Practice',
      type: 1,
      laps: [
        { lap: 0, car: 0, sectors: [30_000, 31_000, 32_000], time: 93_000, cuts: 0, tyre: 'M' },
        { lap: 1, car: 0, sectors: [29_000, 30_000, 31_000], time: -1, cuts: 1, tyre: 'M' },
        { lap: 0, car: 1, sectors: [], time: 92_000 },
      ],
      lapstotal: [2, 1],
      bestLaps: [
        { car: 0, time: 93_000, lap: 0 },
        { car: 1, time: 92_000, lap: 0 },
      ],
    },
    { name: 'Qualify', type: 2, laps: [], lapstotal: [0, 0], bestLaps: [] },
    {
      name: 'Quick Race',
      type: 3,
      laps: [{ lap: 0, car: 1, sectors: [31_000, 32_000, 33_000], time: 96_000, cuts: 1, tyre: 'M' }],
      lapstotal: [0, 1],
      bestLaps: [{ car: 1, time: 96_000, lap: 0 }],
      raceResult: [1, 0, -1],
    },
  ],
  extras: [],
};

/** The same as Content Manager keeps it. */
export const CONTENT_MANAGER = {
  ...AC_CLIENT,
  __raceIni: '[RACE]\r\nTRACK=magione\r\nCONFIG_TRACK=club\r\nMODEL=abarth500\r\n',
  __quickDrive: '{}',
};

/** A qualifying of AC EVO, with an id above 2^63. */
export const AC_EVO = {
  session_type: 'Qualify',
  track_name: 'Imola',
  track_layout_name: 'GP',
  drivers: [
    {
      guid: { a: '18446744073709551557', b: '1' },
      first_name: 'Kit',
      last_name: 'Barr',
      nickname: 'kb',
      player_id: '3001',
    },
    { guid: { a: '18446744073709551556', b: '1' }, first_name: '', last_name: '', nickname: 'moss', player_id: '3002' },
    { guid: { a: '7', b: '1' }, first_name: 'Flo', last_name: 'Reed', nickname: '', player_id: '3003' },
  ],
  cars: [{ car_id: { a: '10', b: '1' }, model_displayname: 'Mazda MX-5', race_number: 5 }],
  laps: [
    lapOfEvo('18446744073709551557', 101_000, 2),
    lapOfEvo('18446744073709551557', 100_000, 1),
    lapOfEvo('18446744073709551556', 102_500, 4),
  ],
  driver_standings: [
    { a: '18446744073709551557', b: '1' },
    { a: '18446744073709551556', b: '1' },
    { a: '7', b: '1' },
  ],
  time_standings: [101_000, 102_500, 0],
  car_standings: [],
};

function lapOfEvo(driver: string, time: number, flags: number): object {
  const driver_key = { a: driver, b: '1' };
  return { car_key: { a: '10', b: '1' }, driver_key, time, split: [33_000, 34_000, time - 67_000], flags };
}

/** A practice, a qualifying and two races of a RaceRoom server, as of 2020. */
export const RACEROOM = {
  Server: 'Club',
  Time: '/Date(1589031256376)/',
  Track: 'Zandvoort',
  TrackLayout: 'Club Circuit',
  Sessions: [
    { Type: 'Practice', Players: [] },
    {
      Type: 'Qualify',
      Players: [
        { UserId: 4_001, FullName: 'Ole Dahl', Car: 'Cupra TCR', Position: 1, BestLapTime: 97_000, TotalTime: -1 },
      ],
    },
    {
      Type: 'Race2',
      Players: [
        {
          UserId: 4_002,
          FullName: 'Pia Holt',
          Car: 'Audi TCR',
          CarId: 7_850,
          Position: 2,
          BestLapTime: 99_000,
          TotalTime: -1_000,
          FinishStatus: 'DidNotFinish',
          RaceSessionLaps: [
            { Time: 98_000, SectorTimes: [22_000, 60_000, 98_000], Valid: true },
            { Time: 97_500, SectorTimes: [21_000, 59_500, 97_500], Valid: false },
            { Time: -1_000, SectorTimes: [22_500, 61_000, -1_000], Valid: true },
            { Time: -1_000, SectorTimes: [-1_000, -1_000, -1_000], Valid: true },
          ],
        },
        {
          UserId: 4_001,
          FullName: 'Ole Dahl',
          Car: 'Cupra TCR',
          Position: 1,
          BestLapTime: 96_000,
          TotalTime: 200_000,
          FinishStatus: 'Finished',
          RaceSessionLaps: [{ Time: 104_000 }, { Time: 96_000 }],
        },
      ],
    },
  ],
};

function smsLap(
  refid: number,
  name: string,
  Lap: number,
  LapTime: number,
  sectors: readonly number[],
  counts: number,
): object {
  const [Sector1Time, Sector2Time, Sector3Time] = sectors;
  const attributes = {
    CountThisLapTimes: counts,
    Lap,
    LapTime,
    RacePosition: 1,
    Sector1Time,
    Sector2Time,
    Sector3Time,
  };
  return { attributes, event_name: 'Lap', is_player: true, name, participantid: 1, refid, time: 1_000 };
}

function smsResult(refid: number, name: string, RacePosition: number, Lap: number, FastestLapTime: number): object {
  const attributes = { FastestLapTime, Lap, RacePosition, State: 'Finished', TotalTime: 250_000, VehicleId: -1_836 };
  return { attributes, is_player: true, name, participantid: 1, refid, time: 1_000 };
}

/** Statistics of a dedicated server: a race with resets, doubled laps and a driver whose name is known by his id only. */
export const SMS_STATS = {
  next_history_index: 2,
  stats: {
    history: [
      {
        index: 1,
        finished: true,
        setup: { TrackId: -438_882_031 },
        members: {
          '11': { name: 'Ray Finch', steamid: '5001' },
          '12': { name: 'Sol Brook', steamid: '5002' },
          '13': { name: 'Sol Brook', steamid: '5002' },
        },
        participants: {
          '1': { Name: '', RefId: 11, VehicleId: -1_836 },
          '2': { Name: 'Sol Brook', RefId: 12, VehicleId: 802 },
        },
        stages: {
          practice1: { events: {}, results: {} },
          qualifying1: { events: [smsLap(12, 'Sol Brook', 0, 90_500, [30_000, 30_000, 30_500], 1)], results: [] },
          race1: {
            events: [
              { event_name: 'State', refid: 11, attributes: {} },
              smsLap(11, '', 0, 92_000, [31_000, 30_500, 30_500], 1),
              smsLap(11, '', 1, 170_000, [31_000, 0, 139_000], 0),
              smsLap(12, 'Sol Brook', 0, 93_000, [31_500, 31_000, 30_500], 0),
              smsLap(12, 'Sol Brook', 0, 93_000, [31_500, 31_000, 30_500], 0),
              smsLap(99, '', 0, 94_000, [0, 31_000, 30_500], 1),
            ],
            results: [
              smsResult(12, 'Sol Brook', 2, 1, 0),
              smsResult(11, '', 1, 2, 92_000),
              smsResult(13, 'Sol Brook', 3, 0, 0),
              smsResult(99, '', 4, 1, 94_000),
            ],
          },
        },
      },
    ],
  },
};

/** The text of a statistics file, with the comments that the server writes. */
export function smsText(stats: object): string {
  const head =
    "// Persistent data for addon 'sms_stats', addon version 2.0\n// Automatically maintained, do not edit!\n\n";
  return `${head}${JSON.stringify(stats, null, 2)}\n\n// EOF //\n`;
}

function iracingRow(display_name: string, cust_id: number, finish_position: number, best_lap_time: number): object {
  return {
    cust_id,
    display_name,
    finish_position,
    laps_complete: 5,
    best_lap_time,
    average_lap: 1_300_000,
    interval: -1,
  };
}

/** A race and a qualifying of iRacing: the qualifying has the type of a race. */
export const IRACING_EVENT = {
  subsession_id: 1,
  track: { track_id: 219, track_name: 'Lime Rock Park', config_name: 'Grand Prix' },
  session_results: [
    {
      simsession_number: 0,
      simsession_type: 6,
      simsession_type_name: 'Race',
      simsession_name: 'RACE',
      results: [iracingRow('Gus Hale', 6_001, 1, -1), iracingRow('Amy Pike', 6_002, 0, 1_296_205)],
    },
    {
      simsession_number: -1,
      simsession_type: 6,
      simsession_type_name: 'Lone Qualifying',
      simsession_name: 'QUALIFY',
      results: [iracingRow('Amy Pike', 6_002, 0, 1_296_204)],
    },
    {
      simsession_number: -2,
      simsession_type: 3,
      simsession_type_name: 'Open Practice',
      simsession_name: 'PRACTICE',
      results: [],
    },
  ],
};

/** A team event as the member site exports it. */
export const IRACING_TEAMS = {
  type: 'event_result',
  data: {
    track: { track_id: 1, track_name: 'Oval', config_name: 'N/A' },
    session_results: [
      {
        simsession_type: 6,
        simsession_type_name: 'Race',
        simsession_name: 'RACE',
        results: [
          {
            team_id: -77,
            display_name: 'Team Heron',
            finish_position: 0,
            laps_complete: 40,
            best_lap_time: 900_000,
            driver_results: [iracingRow('Gus Hale', 6_001, 0, 900_000), iracingRow('Amy Pike', 6_002, 0, 910_000)],
          },
        ],
      },
    ],
  },
};

function iracingLap(lap_number: number, lap_time: number, lap_events: readonly string[]): object {
  return { cust_id: 6_001, group_id: 6_001, display_name: 'Gus Hale', lap_number, lap_time, lap_events, flags: 0 };
}

/** Lap data of a driver. */
export const IRACING_LAPS = [
  iracingLap(0, -1, ['invalid', 'pitted']),
  iracingLap(1, 1_079_285, []),
  iracingLap(2, 1_063_654, ['off track']),
  iracingLap(3, 1_061_004, ['invalid', 'off track']),
];

/** A CSV export of a race of iRacing, with a team event below. */
export const IRACING_CSV = [
  '"Start Time","Track","Series"',
  '"2026-10-03T18:45:10Z","Lime Rock Park - Grand Prix","Club Cup"',
  '',
  '"Fin Pos","Car ID","Car","Team ID","Cust ID","Name","Car #","Interval","Fastest Lap Time","Laps Comp"',
  '"1","165","Ligier","6001","6001","Gus Hale","2","-00.000","1:31.2075","18"',
  '"2","165","Ligier","6002","6002","Amy ""AP"" Pike","01","-1 L","","17"',
].join('\r\n');

/** A CSV export of a team event. */
export const IRACING_TEAM_CSV = [
  '"Start Time","Track","Series"',
  '"2026-10-03T18:45:10Z","Oval","Club Cup"',
  '',
  '"Fin Pos","Name","Team ID","Cust ID","Laps Comp","Fastest Lap Time","Interval"',
  '"1","Team Heron","-77","-77","40","1:30.000","-00.000"',
  '"1","Gus Hale","-77","6001","22","1:30.000","-"',
  '"1","Amy Pike","-77","6002","18","1:31.000","-"',
].join('\n');

function rfactorLap(num: number, seconds: string, sectors: readonly string[]): string {
  const times = sectors.map((sector, n) => ` s${n + 1}="${sector}"`).join('');
  return `<Lap num="${num}" p="1" et="0.000"${times} fuel="0.8">${seconds}</Lap>`;
}

function rfactorDriver(name: string, position: number, laps: readonly string[], rest: string): string {
  const head = `<Driver>\n<Name>${name}</Name>\n<VehName>Car</VehName>\n<CarType>Formula ISI</CarType>\n<CarNumber>9</CarNumber>`;
  return `${head}\n<Position>${position}</Position>\n${laps.join('\n')}\n${rest}\n<FinishStatus>None</FinishStatus>\n</Driver>`;
}

/** A session of rFactor 2, as an element of its file. */
export function rfactorSession(name: string, ampersand = '&'): string {
  const stream = '<Stream>\n<Score et="53.6">Lou Best(1) lap=0 point=1 t=-1.000 et=53.593</Score>\n</Stream>';
  const first = rfactorDriver(
    `Tom ${ampersand} Co`,
    2,
    [rfactorLap(1, '--.----', []), rfactorLap(2, '48.4065', ['11.7445', '19.0384', '17.6230'])],
    '<BestLapTime>48.4065</BestLapTime>\n<FinishTime>97.0000</FinishTime>\n<Laps>2147483647</Laps>',
  );
  const second = rfactorDriver(
    'Lou Best',
    1,
    [rfactorLap(1, '48.3004', ['11.7000'])],
    '<BestLapTime>48.3004</BestLapTime>\n<Laps>1</Laps>',
  );
  return `<${name}>\n<Laps>2147483647</Laps>\n${stream}\n${first}\n${second}\n</${name}>`;
}

/** A file of rFactor 2 with these sessions. */
export function rfactorFile(sessions: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<!DOCTYPE rF [',
    '<!ENTITY rFEnt "rFactor Entity">',
    ']>',
    '<rFactorXML version="1.0">',
    '<RaceResults>',
    '<TrackVenue>Malaysia</TrackVenue>',
    '<TrackCourse>South Loop</TrackCourse>',
    ...sessions,
    '</RaceResults>',
    '</rFactorXML>',
    '',
  ].join('\n');
}

/** A file of each format, by its name. */
export const FILES: Readonly<Record<string, Uint8Array>> = {
  accServer: utf16(JSON.stringify(ACC_RACE, null, 4), 'little-endian'),
  accClient: utf16(JSON.stringify(ACC_CLIENT, null, 4), 'little-endian'),
  acServer: utf8(JSON.stringify(AC_SERVER, null, '\t')),
  acServerManager: utf8(JSON.stringify(AC_SERVER_MANAGER, null, '\t')),
  acClient: utf8(JSON.stringify(AC_CLIENT, null, '\t')),
  contentManager: utf8(JSON.stringify(CONTENT_MANAGER)),
  acEvo: utf8(JSON.stringify(AC_EVO, null, 2)),
  raceRoom: utf8(JSON.stringify(RACEROOM)),
  smsStats: utf8(smsText(SMS_STATS)),
  iracingEvent: utf8(JSON.stringify(IRACING_EVENT)),
  iracingTeams: utf8(JSON.stringify(IRACING_TEAMS)),
  iracingLaps: utf8(JSON.stringify(IRACING_LAPS)),
  iracingCsv: utf8(IRACING_CSV),
  iracingTeamCsv: utf8(IRACING_TEAM_CSV),
  rfactor: utf8(rfactorFile([rfactorSession('Practice1'), rfactorSession('Race')])),
};
