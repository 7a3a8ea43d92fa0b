// A socket that reads into one buffer shared by all connections: allocating a buffer per read costs more than parsing it.
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** Larger than the kernel's receive buffer, so that one read takes everything. */
const BUFFER = Buffer.allocUnsafeSlow(256 * 1024);

interface Reader {
  take: (bytes: Buffer) => void;
}

const readers = new WeakMap<Duplex, Reader>();

/** @returns a socket for pg that emits `data` until `takeOver` */
export function sharedBufferSocket(): net.Socket {
  const reader: Reader = { take: (bytes) => socket.emit('data', Buffer.from(bytes)) };
  const onread: net.OnReadOpts = {
    buffer: BUFFER,
    callback: (size) => {
      reader.take(BUFFER.subarray(0, size));
      return true;
    },
  };
  const options = { allowHalfOpen: false, onread };
  const socket = new net.Socket(options);
  readers.set(socket, reader);
  return socket;
}

/**
 * @param take called with everything read from now on; the bytes are valid only during the call
 * @returns false for another kind of socket, such as one with TLS
 */
export function takeOver(stream: Duplex, take: (bytes: Buffer) => void): boolean {
  const reader = readers.get(stream);
  if (reader === undefined) return false;
  reader.take = take;
  return true;
}
