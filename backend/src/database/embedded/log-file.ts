import { copyFile, readFile, stat, truncate } from 'node:fs/promises';

/** Bytes after which postgres.log is moved to postgres.log.1, replacing the previous one. */
const LOG_LIMIT = 5 * 1024 * 1024;

/** Copies and truncates, because PostgreSQL keeps the file open in append mode. */
export async function rotateLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= LOG_LIMIT) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}

/** @returns the last FATAL or PANIC message */
export async function lastFatalMessage(file: string): Promise<string | undefined> {
  const log = await readFile(file, 'utf8').catch(() => '');
  const line = log.split('\n').findLast((entry) => /FATAL|PANIC/.test(entry));
  return line?.replace(/^.*?(FATAL|PANIC):\s*/, '').trim();
}
