// What a server logged while a test ran. Its JSON lines have neither secrets nor personal data; other lines are left out.
import { existsSync, readFileSync } from 'node:fs';

const WARNING = 40;
const FIRST_BAD_STATUS = 400;
/** Lines of the end that are shown whatever they say. */
const NEWEST = 12;
const MOST = 30;
/** Characters of a line. */
const WIDTH = 300;

function parsed(line) {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line)];
  } catch {
    // A line that was being written.
    return [];
  }
}

/** One line for each request, with its status, and one for everything else. */
function described(entries) {
  const requests = new Map();
  return entries.flatMap(({ time, level, msg, reqId, req, res, responseTime, err }) => {
    if (req) requests.set(reqId, `${req.method} ${req.path}`);
    if (msg === 'incoming request') return [];
    const words = [new Date(time).toISOString().slice(11, 23), requests.get(reqId)];
    if (res) words.push(`${res.statusCode} in ${Math.round(responseTime)} ms`);
    else words.push(msg);
    if (err) words.push(`${err.type}: ${err.message}`);
    const isBad = level >= WARNING || res?.statusCode >= FIRST_BAD_STATUS;
    const text = words.filter(Boolean).join(' ').replaceAll('\n', ' ').slice(0, WIDTH);
    return [{ time, text, isBad }];
  });
}

/**
 * @param {string} file of JSON lines @param {number} from @param {number} to milliseconds since 1970
 * @returns {string[]} the last lines of that time, and earlier ones that tell of a problem
 */
export function logOf(file, from, to) {
  if (!existsSync(file)) return [];
  const entries = readFileSync(file, 'utf8').split('\n').flatMap(parsed);
  const lines = described(entries).filter(({ time }) => time >= from && time <= to);
  return lines
    .filter(({ isBad }, index) => isBad || index >= lines.length - NEWEST)
    .slice(-MOST)
    .map(({ text }) => text);
}
