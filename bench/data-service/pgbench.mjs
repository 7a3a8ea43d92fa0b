// pgbench with the very statements that the data service sends: settings and query in one pipeline, one transaction.
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @returns {boolean} whether pgbench is installed; the embedded PostgreSQL does not bring it */
export function hasPgbench() {
  try {
    execFileSync('pgbench', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A statement's parameters become pgbench's variables, which it sends as parameters again. */
function scripted({ text, values }, prefix) {
  const named = text.replace(/\$(\d+)/g, (_, number) => `:${prefix}${number}`);
  const variables = values.map((value, index) => `${prefix}${index + 1}=${value ?? ''}`);
  return { named, variables };
}

/**
 * @param {{ text: string, values: (string | null)[] }[][]} requests the statements of each, settings first
 * @param {{ connection: object, clients: number, seconds: number, folder: string, login: object }} options
 * @returns {Promise<number>} transactions a second
 */
export async function pgbench(requests, { connection, clients, seconds, folder, login }) {
  const args = ['-n', '-M', 'prepared', '-c', clients, '-j', 2, '-T', seconds];
  for (const [number, statements] of requests.entries()) {
    const parts = statements.map((statement, at) => scripted(statement, `r${number}p${at}x`));
    const lines = parts.map(({ named }) => `${named.replaceAll('\n', ' ')};`);
    const file = path.join(folder, `pgbench-${number}.sql`);
    writeFileSync(file, ['\\startpipeline', ...lines, '\\endpipeline', ''].join('\n'));
    args.push(
      '-f',
      file,
      ...parts.flatMap(({ variables }) => variables.flatMap((one) => ['-D', one])),
    );
  }
  args.push('-h', connection.host, '-p', connection.port, '-U', login.user, connection.database);
  const { stdout } = await run('pgbench', args.map(String), {
    env: { ...process.env, PGPASSWORD: login.password },
  });
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}
