import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, type Config } from '../../service/config/config.ts';
import { reasonOf } from '../../service/config/start-failure.ts';
import { IS_WINDOWS } from '../../../infra/system/disk.ts';
import { isOpenToOthers } from '../../service/stores/owner-only.ts';
import { command, EXIT, serviceUrl, text } from './command.ts';
import { checkSettings, isLocal, type Finding, type Verdict } from './doctor-settings.ts';

const SYNTAX = {
  name: 'doctor',
  about: `
Checks what to set before a service stands on the internet (docs/internet.md): its settings, its files, and with --url a
running service. Changes nothing.`,
  options: { url: text('URL', 'the public address of the service, best asked from another machine') },
  notes: `
The settings are those of the environment, as for the service. Each line is ok, warning or problem, with the setting and
what to do.
Exit codes: 0 no problem, 1 a problem, 2 wrong usage.`,
} as const;

const LEVEL_COLUMNS = 8;
const ABOUT_COLUMNS = 31;

export const run = command(SYNTAX, async ({ env, out, waiting, values: { url } }) => {
  const config = loadConfig(env);
  const service = url === undefined ? null : serviceUrl(url);
  const running = service === null ? [] : await waiting.during(`an answer of ${service}`, () => checkRunning(service));
  const findings = [
    ...checkSettings(config),
    ...checkDataDir(config),
    ...checkCertificate(config, Date.now()),
    ...running,
  ];
  for (const [about, level, text] of findings) {
    out.write(`${level.padEnd(LEVEL_COLUMNS)}${about.padEnd(ABOUT_COLUMNS)} ${text}\n`);
  }
  const count = (level: Verdict[0]): number => findings.filter(([, found]) => found === level).length;
  out.write(`\nProblems: ${count('problem')}, warnings: ${count('warning')}.\n`);
  return count('problem') > 0 ? EXIT.failed : EXIT.done;
});

/** Below this share of the disk, or this many bytes, it is nearly full. */
const LOW_SHARE = 0.1;
const GIB = 1_073_741_824;

function checkDataDir({ dataDir }: Config): readonly Finding[] {
  if (!existsSync(dataDir)) return [['DATA_DIR', 'warning', `${dataDir} does not exist yet`]];
  const open = readdirSync(dataDir).filter((name) => isOpen(join(dataDir, name)));
  const { bsize, bavail, blocks } = statfsSync(dataDir);
  const free = `${Math.floor((bavail * bsize) / GIB)} GiB of its disk are free`;
  const isLow = bavail * bsize < GIB || bavail < blocks * LOW_SHARE;
  const readers: Finding =
    isOpen(dataDir) && open.length > 0
      ? ['DATA_DIR', 'problem', `others on this machine can read ${open.join(', ')}: chmod -R go= ${dataDir}`]
      : ['DATA_DIR', 'ok', 'only its owner can read what is in it'];
  return [
    IS_WINDOWS ? ['DATA_DIR', 'warning', `who can read ${dataDir} is not checked on Windows`] : readers,
    isLow ? ['DATA_DIR', 'problem', `only ${free}`] : ['DATA_DIR', 'ok', free],
  ];
}

/** Whether group or others have any right to a file or directory. */
function isOpen(path: string): boolean {
  return isOpenToOthers(statSync(path).mode);
}

/** Days before its end from which a certificate is due for renewal. */
const RENEWAL_DAYS = 21;
const DAY_MS = 86_400_000;

function checkCertificate({ tls }: Config, now: number): readonly Finding[] {
  if (tls === null) return [];
  return [
    checkFile('TLS_CERT_FILE', () => {
      const end = Date.parse(new X509Certificate(readFileSync(tls.certFile)).validTo);
      const days = Math.floor((end - now) / DAY_MS);
      if (days < 0) return ['problem', 'the certificate has ended'];
      return [days < RENEWAL_DAYS ? 'warning' : 'ok', `valid for ${days} more days`];
    }),
    checkFile('TLS_KEY_FILE', () => {
      if (isOpen(tls.keyFile)) return ['problem', `others on this machine can read it: chmod go= ${tls.keyFile}`];
      return IS_WINDOWS
        ? ['warning', 'who can read it is not checked on Windows']
        : ['ok', 'only its owner can read it'];
    }),
  ];
}

/** Checks a file; it is a problem when the file cannot be read, or is not what it should be. */
function checkFile(about: string, check: () => Verdict): Finding {
  try {
    return [about, ...check()];
  } catch (error) {
    return [about, 'problem', `cannot be used: ${reasonOf(error) ?? String(error)}`];
  }
}

const ANSWER_MS = 10_000;

async function checkRunning(url: string): Promise<readonly Finding[]> {
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  const readiness = '/actuator/health/readiness';
  try {
    const plain = await ask(readiness);
    const forged = await ask(readiness, { 'X-Forwarded-For': '127.0.0.1' });
    const metrics = await ask('/actuator/prometheus');
    return [
      ['--url', ...transportOf(url)],
      plain.status === 200
        ? ['readiness', 'ok', 'UP']
        : ['readiness', 'problem', `answered ${plain.status}: see its log`],
      ['X-Forwarded-For', ...forgeryOf(plain, forged)],
      metrics.status === 200
        ? ['metrics', 'warning', 'anyone can read /actuator/prometheus: let the proxy refuse it']
        : ['metrics', 'ok', 'not public'],
    ];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return [['--url', 'problem', `no answer: ${cause instanceof Error ? cause.message : String(cause)}`]];
  }
}

function transportOf(url: string): Verdict {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLocal(hostname)
    ? ['ok', 'nothing crosses a network in plain text']
    : ['problem', 'keys cross the network in plain text: use https alone'];
}

/** Whether limits can be escaped by a claim to be on the service's machine: answers to exempt clients state no limit. */
function forgeryOf(plain: Response, forged: Response): Verdict {
  if (!plain.headers.has('RateLimit')) return ['warning', 'no limit applies to this machine: ask from another one'];
  return forged.headers.has('RateLimit')
    ? ['ok', 'a forged one is not believed']
    : ['problem', 'a forged one is believed: the proxy must append the address that it sees'];
}
