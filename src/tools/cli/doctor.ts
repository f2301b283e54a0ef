import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, type Config } from '../../service/config/config.ts';
import { reasonOf } from '../../service/config/start-failure.ts';
import { OF_OTHERS } from '../../service/stores/owner-only.ts';
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

export const run = command(SYNTAX, async ({ env, out, values: { url } }) => {
  const config = loadConfig(env);
  const findings = [
    ...checkSettings(config),
    ...checkDataDir(config),
    ...checkCertificate(config, Date.now()),
    ...(url === undefined ? [] : await checkRunning(serviceUrl(url))),
  ];
  for (const { level, about, text } of findings) {
    out.write(`${level.padEnd(LEVEL_COLUMNS)}${about.padEnd(ABOUT_COLUMNS)} ${text}\n`);
  }
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  out.write(`\nProblems: ${count('problem')}, warnings: ${count('warning')}.\n`);
  return count('problem') > 0 ? EXIT.failed : EXIT.done;
});

/** Below this share of the disk, or this many bytes, it is nearly full. */
const LOW_SHARE = 0.1;
const GIB = 1_073_741_824;

function checkDataDir({ dataDir }: Config): readonly Finding[] {
  const about = 'DATA_DIR';
  if (!existsSync(dataDir)) return [{ level: 'warning', about, text: `${dataDir} does not exist yet` }];
  const open = readdirSync(dataDir).filter((name) => isOpen(join(dataDir, name)));
  const { bsize, bavail, blocks } = statfsSync(dataDir);
  const free = `${Math.floor((bavail * bsize) / GIB)} GiB of its disk are free`;
  const isLow = bavail * bsize < GIB || bavail < blocks * LOW_SHARE;
  return [
    isOpen(dataDir) && open.length > 0
      ? { level: 'problem', about, text: `others on this machine can read ${open.join(', ')}: chmod -R go= ${dataDir}` }
      : { level: 'ok', about, text: 'only its owner can read what is in it' },
    isLow ? { level: 'problem', about, text: `only ${free}` } : { level: 'ok', about, text: free },
  ];
}

/** Whether group or others have any right to a file or directory. */
function isOpen(path: string): boolean {
  return (statSync(path).mode & OF_OTHERS) !== 0;
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
    checkFile('TLS_KEY_FILE', () =>
      isOpen(tls.keyFile)
        ? ['problem', `others on this machine can read it: chmod go= ${tls.keyFile}`]
        : ['ok', 'only its owner can read it'],
    ),
  ];
}

/** Checks a file; it is a problem when the file cannot be read, or is not what it should be. */
function checkFile(about: string, check: () => Verdict): Finding {
  try {
    const [level, text] = check();
    return { level, about, text };
  } catch (error) {
    return { level: 'problem', about, text: `cannot be used: ${reasonOf(error) ?? String(error)}` };
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
      transportOf(url),
      plain.status === 200
        ? { level: 'ok', about: 'readiness', text: 'UP' }
        : { level: 'problem', about: 'readiness', text: `answered ${plain.status}: see its log` },
      forgeryOf(plain, forged),
      metrics.status === 200
        ? { level: 'warning', about: 'metrics', text: 'anyone can read /actuator/prometheus: let the proxy refuse it' }
        : { level: 'ok', about: 'metrics', text: 'not public' },
    ];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = `no answer: ${cause instanceof Error ? cause.message : String(cause)}`;
    return [{ level: 'problem', about: '--url', text }];
  }
}

function transportOf(url: string): Finding {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLocal(hostname)
    ? { level: 'ok', about: '--url', text: 'nothing crosses a network in plain text' }
    : { level: 'problem', about: '--url', text: 'keys cross the network in plain text: use https alone' };
}

/** Whether limits can be escaped by a claim to be on the service's machine: answers to exempt clients state no limit. */
function forgeryOf(plain: Response, forged: Response): Finding {
  const about = 'X-Forwarded-For';
  if (!plain.headers.has('RateLimit'))
    return { level: 'warning', about, text: 'no limit applies to this machine: ask from another one' };
  return forged.headers.has('RateLimit')
    ? { level: 'ok', about, text: 'a forged one is not believed' }
    : { level: 'problem', about, text: 'a forged one is believed: the proxy must append the address that it sees' };
}
