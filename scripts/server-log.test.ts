import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logOf } from './server-log.mjs';

const NOON = Date.UTC(2031, 0, 1, 12);
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'server-log-'));
  file = path.join(folder, 'log');
});

afterEach(() => rmSync(folder, { recursive: true }));

function request(at: number, status: number): string {
  const time = NOON + at;
  const req = { method: 'GET', path: `/rows/${at}` };
  const first = { level: 30, time, reqId: `r${at}`, req, msg: 'incoming request' };
  const res = { statusCode: status };
  const last = { level: 30, time, reqId: `r${at}`, res, responseTime: 4.4 };
  return `${JSON.stringify(first)}\n${JSON.stringify({ ...last, msg: 'request completed' })}\n`;
}

test('shows a request in one line, of the time in question, and nothing that is not logged as JSON', () => {
  writeFileSync(
    file,
    `${request(0, 200)}${request(50, 403)}  Password: a secret\n${request(99, 200)}{"cut`,
  );
  expect(logOf(file, NOON + 10, NOON + 60)).toEqual(['12:00:00.050 GET /rows/50 403 in 4 ms']);
});

test('keeps an early problem among many later lines, and is short', () => {
  const err = { type: 'Error', message: 'No\nspace' };
  const problem = JSON.stringify({ level: 50, time: NOON, msg: 'A job failed', err });
  const many = Array.from({ length: 500 }, (_, at) => request(at, at < 400 ? 200 : 500)).join('');
  writeFileSync(file, `${problem}\n${many.slice(0, many.indexOf('"r400"'))}`);
  const lines = logOf(file, NOON, NOON + 1000);
  expect(lines[0]).toBe('12:00:00.000 A job failed Error: No space');
  expect(lines).toHaveLength(13);
  writeFileSync(file, many);
  expect(logOf(file, NOON, NOON + 1000)).toHaveLength(30);
});

test('a server that wrote no log has no lines', () => {
  expect(logOf(file, 0, Date.now())).toEqual([]);
});
