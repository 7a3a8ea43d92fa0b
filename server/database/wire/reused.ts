// A socket that reads into one piece of memory, used again for every read and every connection: new memory for each read
// costs more than looking at what came.
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** More than the system holds for one socket, so that what has come is read at once. */
const MEMORY = Buffer.allocUnsafeSlow(256 * 1024);

interface Reader {
  take: (bytes: Buffer) => void;
}

const readers = new WeakMap<Duplex, Reader>();

/** @returns a socket for pg, which gets what it reads as `data` until someone takes over */
export function reusingSocket(): net.Socket {
  const reader: Reader = { take: (bytes) => socket.emit('data', Buffer.from(bytes)) };
  const onread: net.OnReadOpts = {
    buffer: MEMORY,
    callback: (size) => {
      reader.take(MEMORY.subarray(0, size));
      return true;
    },
  };
  const options = { allowHalfOpen: false, onread };
  const socket = new net.Socket(options);
  readers.set(socket, reader);
  return socket;
}

/**
 * @param take called with everything read from now on; the bytes are only valid during the call
 * @returns false for a socket of another kind, such as one with TLS
 */
export function takeOver(stream: Duplex, take: (bytes: Buffer) => void): boolean {
  const reader = readers.get(stream);
  if (reader === undefined) return false;
  reader.take = take;
  return true;
}
