// pgbench with the statements the data service sends: settings and query in one pipeline and one transaction.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @returns {boolean} whether pgbench is installed; the embedded PostgreSQL does not include it */
export function hasPgbench() {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Turns parameters into pgbench variables, which it sends as parameters. */
function scripted({ text, values }, prefix) {
  const named = text.replace(/\$(\d+)/g, (_, number) => `:${prefix}${number}`);
  const variables = values.map((value, index) => `${prefix}${index + 1}=${value ?? ''}`);
  return { named, variables };
}

/** One script with a request per client, so that clients don't wait for each other's row locks. */
function scriptOf(pipelines) {
  if (pipelines.length === 1) return [...pipelines[0], ''].join('\n');
  const branches = pipelines.flatMap((lines, client) => [
    `\\${client === 0 ? 'if' : 'elif'} :client_id = ${client}`,
    ...lines,
  ]);
  return [...branches, '\\endif', ''].join('\n');
}

/** Reads and removes pgbench's logs. @returns {number} 99th percentile in milliseconds, from when a transaction was due */
function p99In(folder) {
  const logs = readdirSync(folder).filter((name) => name.startsWith('paced.'));
  const times = logs.flatMap((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').trim().split('\n');
    rmSync(path.join(folder, name));
    return lines.map((line) => Number(line.split(' ')[2]) / 1000);
  });
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/**
 * @param {{ text: string, values: (string | null)[] }[][]} requests the statements of each request, settings first: one
 *   request, or one per client
 * @param {{ connection: object, clients: number, seconds: number, folder: string, login: object, rate?: number }} options
 *   `rate`: transactions per second, or as fast as possible
 * @returns {Promise<{ perSecond: number, p99: number }>} `p99` in milliseconds, if a rate was given
 */
export async function pgbench(requests, { connection, clients, seconds, folder, login, rate }) {
  const args = ['-n', '-M', 'prepared', '-c', clients, '-j', 2, '-T', seconds];
  const pipelines = requests.map((statements, number) => {
    const parts = statements.map((statement, at) => scripted(statement, `r${number}p${at}x`));
    for (const { variables } of parts) for (const one of variables) args.push('-D', one);
    const lines = parts.map(({ named }) => `${named.replaceAll('\n', ' ')};`);
    return ['\\startpipeline', ...lines, '\\endpipeline'];
  });
  const size = pipelines.length === 1 ? 1 : clients;
  for (let first = 0; first + size <= pipelines.length; first += size) {
    const file = path.join(folder, `pgbench-${first}.sql`);
    writeFileSync(file, scriptOf(pipelines.slice(first, first + size)));
    args.push('-f', file);
  }
  if (rate) args.push('-R', rate, '-l', `--log-prefix=${path.join(folder, 'paced')}`);
  args.push('-h', connection.host, '-p', connection.port, '-U', login.user, connection.database);
  const { stdout } = await run('pgbench', args.map(String), {
    env: { ...process.env, PGPASSWORD: login.password },
  });
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  return { perSecond, p99: rate ? p99In(folder) : Number.NaN };
}
