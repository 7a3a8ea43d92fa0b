// Encodes an exchange into one buffer, so that it is one write to the socket (PostgreSQL docs, "Message Formats").
// All parameters and results are in text format.

/** One execution of a prepared statement. */
export interface Step {
  name: string;
  text: string;
  values: readonly (string | null)[];
  /** Must be parsed first. */
  isNew: boolean;
  /** Name of another statement to close. */
  evicted: string | undefined;
}

const CODE = { parse: 0x50, bind: 0x42, describe: 0x44, execute: 0x45, close: 0x43, sync: 0x53 };
const STATEMENT = 0x53;
const PORTAL = 0x50;

function sizeOf(steps: readonly Step[]): number {
  let size = 5;
  for (const { name, text, values, isNew, evicted } of steps) {
    if (evicted !== undefined) size += 7 + evicted.length;
    // Names are ours and ASCII.
    if (isNew) size += 1 + 4 + name.length + 1 + Buffer.byteLength(text) + 1 + 2 + 7;
    size += 1 + 4 + 1 + name.length + 1 + 2 + 2 + 2 + 10;
    for (const value of values) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  }
  return size;
}

/** @returns the messages of all steps and one Sync */
export function encodeExchange(steps: readonly Step[]): Buffer {
  const bytes = Buffer.allocUnsafe(sizeOf(steps));
  let at = 0;
  const begin = (code: number): number => {
    bytes[at] = code;
    at += 5;
    return at - 4;
  };
  const end = (start: number): void => {
    bytes.writeInt32BE(at - start, start);
  };
  const put = (text: string): void => {
    at += bytes.write(text, at);
    bytes[at] = 0;
    at += 1;
  };
  const int16 = (value: number): void => {
    at = bytes.writeUInt16BE(value, at);
  };
  for (const { name, text, values, isNew, evicted } of steps) {
    if (evicted !== undefined) {
      const start = begin(CODE.close);
      bytes[at++] = STATEMENT;
      put(evicted);
      end(start);
    }
    if (isNew) {
      const start = begin(CODE.parse);
      put(name);
      put(text);
      int16(0);
      end(start);
    }
    const bind = begin(CODE.bind);
    put('');
    put(name);
    int16(0);
    int16(values.length);
    for (const value of values) {
      if (value === null) at = bytes.writeInt32BE(-1, at);
      else {
        const length = bytes.write(value, at + 4);
        at = bytes.writeInt32BE(length, at) + length;
      }
    }
    int16(0);
    end(bind);
    // The columns of a known statement can't change: PostgreSQL would reject it ("cached plan must not change").
    if (isNew) {
      const start = begin(CODE.describe);
      bytes[at++] = PORTAL;
      put('');
      end(start);
    }
    const execute = begin(CODE.execute);
    put('');
    at = bytes.writeInt32BE(0, at);
    end(execute);
  }
  end(begin(CODE.sync));
  return bytes;
}
