import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from './listen.ts';
import { until } from './waits.ts';

/** Reverse proxies, each with a configuration in docs/proxies. */
export const PROXIES = ['nginx', 'haproxy', 'caddy', 'apache'] as const;
export type ProxyName = (typeof PROXIES)[number];

/** The path at which the configurations for a path have the service. */
export const PROXY_PATH = '/timing';

interface Proxy {
  readonly program: string;
  /** Its configurations in docs/proxies: for a whole host, and below a path. */
  readonly files: readonly [whole: string, path: string];
  /** What stands there for the address that it listens on. */
  readonly listens: string | RegExp;
  readonly address: (port: number) => string;
  /** The main configuration around that one, in a directory of its own. */
  readonly around: (site: string, directory: string, port: number) => string;
  readonly args: (config: string, directory: string) => readonly string[];
}

/** Modules that the configuration of Apache takes; Debian has them in one directory. */
const APACHE_MODULES = ['mpm_event', 'authz_core', 'proxy', 'proxy_http'];

const isRoot = process.getuid?.() === 0;

const KNOWN: Readonly<Record<ProxyName, Proxy>> = {
  nginx: {
    program: 'nginx',
    files: ['nginx.conf', 'nginx-path.conf'],
    listens: 'listen 80;',
    address: (port) => `listen 127.0.0.1:${port};`,
    around: (site, directory) => {
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${directory}/${name};`,
      );
      const user = isRoot ? 'user root;\n' : '';
      return `${user}daemon off;\npid ${directory}/pid;\nevents {}\nhttp {\naccess_log off;\n${folders.join('\n')}\n${site}}\n`;
    },
    args: (config, directory) => ['-p', directory, '-e', join(directory, 'log'), '-c', config],
  },
  haproxy: {
    program: 'haproxy',
    files: ['haproxy.cfg', 'haproxy-path.cfg'],
    listens: 'bind :80',
    address: (port) => `bind 127.0.0.1:${port}`,
    around: (site) => site,
    args: (config) => ['-db', '-f', config],
  },
  caddy: {
    program: 'caddy',
    files: ['Caddyfile', 'Caddyfile-path'],
    listens: /^timing\.example\.org/gm,
    address: (port) => `http://127.0.0.1:${port}`,
    around: (site) => `{\n\tadmin off\n}\n${site}`,
    args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
  apache: {
    program: 'apache2',
    files: ['apache.conf', 'apache-path.conf'],
    listens: '*:80',
    address: (port) => `127.0.0.1:${port}`,
    around: (site, directory, port) => {
      const modules = APACHE_MODULES.map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`,
      );
      const user = isRoot ? 'User www-data\nGroup www-data\n' : '';
      const files = `ServerRoot ${directory}\nPidFile ${directory}/pid\nErrorLog ${directory}/log\n`;
      return `${files}${modules.join('')}${user}ServerName localhost\nListen 127.0.0.1:${port}\n${site}`;
    },
    args: (config) => ['-f', config, '-DFOREGROUND'],
  },
};

/** Why a proxy cannot be started here; null: it can. */
export function lackOf(name: ProxyName): string | null {
  const { program } = KNOWN[name];
  const version = spawnSync(program, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' });
  return version.error === undefined ? null : `needs ${program}`;
}

/** A proxy in front of a service. */
export interface RunningProxy {
  /** Its address, with the path at which it has the service. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a proxy as docs/proxies configures it, for a whole host or below `PROXY_PATH`, in front of a service here. */
export async function startProxy(name: ProxyName, hasPath: boolean, serviceUrl: string): Promise<RunningProxy> {
  const { program, files, listens, address, around, args } = KNOWN[name];
  const directory = mkdtempSync(join(tmpdir(), `timing-${name}-`));
  chmodSync(directory, 0o755);
  const port = await freePort();
  const documented = readFileSync(join('docs/proxies', files[hasPath ? 1 : 0]), 'utf8');
  const site = documented
    .replaceAll('127.0.0.1:8080', new URL(serviceUrl).host)
    .replaceAll(listens, () => address(port));
  const config = join(directory, 'config');
  writeFileSync(config, around(site, directory, port));
  mkdirSync(join(directory, 'home'));
  const env = { ...process.env, HOME: join(directory, 'home'), XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
  const child = spawn(program, args(config, directory), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text: Buffer) => (said += text.toString()));
  const ended = once(child, 'exit');
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
      return accepts(port);
    },
    (isThere) => isThere,
  );
  return {
    url: `http://127.0.0.1:${port}${hasPath ? PROXY_PATH : ''}`,
    async close() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
