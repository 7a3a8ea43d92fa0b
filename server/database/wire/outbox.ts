// Writes a whole exchange as one piece of memory, so that it is one write to the socket.
// Messages: PostgreSQL documentation, "Message Formats"; all parameters and results in text format.

/** One prepared statement to be run. */
export interface Step {
  name: string;
  text: string;
  values: readonly (string | null)[];
  /** Not known to the connection yet: its text goes first. */
  isNew: boolean;
  /** A statement that the connection may forget. */
  evicted: string | undefined;
}

const CODE = { parse: 0x50, bind: 0x42, describe: 0x44, execute: 0x45, close: 0x43, sync: 0x53 };
const OF_STATEMENT = 0x53;
const OF_PORTAL = 0x50;

function sizeOf(steps: readonly Step[]): number {
  let size = 5;
  for (const { name, text, values, isNew, evicted } of steps) {
    if (evicted !== undefined) size += 7 + evicted.length;
    // Names are ours, and ASCII.
    if (isNew) size += 1 + 4 + name.length + 1 + Buffer.byteLength(text) + 1 + 2 + 7;
    size += 1 + 4 + 1 + name.length + 1 + 2 + 2 + 2 + 10;
    for (const value of values) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  }
  return size;
}

/** @returns every step in order and one Sync */
export function exchangeBytes(steps: readonly Step[]): Buffer {
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
      bytes[at++] = OF_STATEMENT;
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
    // The columns of a known statement can't change: PostgreSQL refuses it then ("cached plan must not change").
    if (isNew) {
      const start = begin(CODE.describe);
      bytes[at++] = OF_PORTAL;
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
