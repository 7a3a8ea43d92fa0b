// Load generator process: writes prebuilt requests, and only counts and times the responses. Node's HTTP client would
// use more CPU than the server under test.
import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** @returns {Buffer} the bytes of a keep-alive request */
function bytesOf({ method, path, prefer, body }, { host, token }) {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    ...(token ? [`authorization: Bearer ${token}`, `apikey: ${token}`] : []),
    ...(prefer ? [`prefer: ${prefer}`] : []),
    ...(body
      ? ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]
      : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

const LENGTH = Buffer.from('\r\ncontent-length: ');
const BEHIND_NAME = LENGTH.length;
const CARRIAGE_RETURN = 13;

/** Parses a header's decimal digits. */
function digitsAt(bytes, start) {
  let value = 0;
  for (let at = start; bytes[at] !== CARRIAGE_RETURN; at += 1) value = value * 10 + bytes[at] - 48;
  return value;
}

/** @returns {number} bytes of the body of a response whose head ends at `end` */
function lengthIn(bytes, end) {
  const at = bytes.indexOf(LENGTH);
  if (at >= 0 && at < end) return digitsAt(bytes, at + BEHIND_NAME);
  const head = bytes.latin1Slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined && !head.startsWith('HTTP/1.1 204')) {
    throw new Error(`No length in:\n${head}`);
  }
  return Number(length ?? 0);
}

/** Shared by all connections: each read is processed before the next. */
const INCOMING = Buffer.allocUnsafeSlow(256 * 1024);

class Line {
  #socket;
  #held = Buffer.alloc(0);
  /** Bytes of the current response still to come; undefined until its head has arrived. */
  #missing;
  #status = 0;
  #answered = () => {};

  constructor(port) {
    const callback = (size) => {
      this.#receive(INCOMING.subarray(0, size));
      return true;
    };
    const onread = { buffer: INCOMING, callback };
    this.#socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.on('error', (error) => {
      throw error;
    });
    this.ready = new Promise((resolve) => this.#socket.once('connect', resolve));
  }

  send(bytes, answered) {
    this.#answered = answered;
    this.#socket.write(bytes);
  }

  end() {
    this.#socket.destroy();
  }

  #receive(chunk) {
    if (this.#missing === undefined) {
      const held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
      const end = held.indexOf(HEAD_END);
      if (end < 0) {
        this.#held = Buffer.from(held);
        return;
      }
      this.#held = Buffer.alloc(0);
      this.#status = Number(held.latin1Slice(9, 12));
      this.#missing = lengthIn(held, end) - (held.length - end - HEAD_END.length);
      if (this.#status >= 300) console.error(held.toString());
    } else this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    this.#missing = undefined;
    this.#answered(this.#status);
  }
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

/** As fast as the server responds. */
function flatOut(lines, next, { ms, count }) {
  return new Promise((resolve) => {
    const times = [];
    let failed = 0;
    let open = lines.length;
    const until = performance.now() + ms;
    const turn = (line) => {
      const sent = performance.now();
      if (sent >= until || times.length + open > count) {
        open -= 1;
        if (open === 0) resolve({ times, failed });
        return;
      }
      line.send(next(), (status) => {
        times.push(performance.now() - sent);
        if (status >= 300) failed += 1;
        turn(line);
      });
    };
    for (const line of lines) turn(line);
  });
}

/** At a fixed rate; latency is measured from when a request was due (no coordinated omission). */
function paced(lines, next, { ms, rate }) {
  return new Promise((resolve) => {
    const times = [];
    let failed = 0;
    const idle = [...lines];
    const due = [];
    const started = performance.now();
    let made = 0;
    const total = Math.floor((rate * ms) / 1000);
    const pump = () => {
      while (due.length > 0 && idle.length > 0) {
        const [line, since] = [idle.pop(), due.shift()];
        line.send(next(), (status) => {
          times.push(performance.now() - since);
          if (status >= 300) failed += 1;
          idle.push(line);
          if (times.length === total) resolve({ times, failed });
          else pump();
        });
      }
    };
    const tick = () => {
      const now = performance.now();
      for (; made < total && started + (made * 1000) / rate <= now; made += 1) {
        due.push(started + (made * 1000) / rate);
      }
      pump();
      if (made < total) setTimeout(tick, 1);
    };
    tick();
  });
}

process.on(
  'message',
  async ({ id, port, connections, token, requests, ms, rate, count = Infinity }) => {
    const host = `127.0.0.1:${port}`;
    const bytes = requests.map((request) => bytesOf(request, { host, token }));
    const lines = Array.from({ length: connections }, () => new Line(port));
    await Promise.all(lines.map(({ ready }) => ready));
    let turn = 0;
    const next = () => {
      turn = (turn + 1) % bytes.length;
      return bytes[turn];
    };
    const started = performance.now();
    const { times, failed } = rate
      ? await paced(lines, next, { ms, rate })
      : await flatOut(lines, next, { ms, count });
    const seconds = (performance.now() - started) / 1000;
    for (const line of lines) line.end();
    const sorted = Float64Array.from(times).sort();
    process.send({
      id,
      count: times.length,
      failed,
      perSecond: times.length / seconds,
      median: at(sorted, 0.5),
      p99: at(sorted, 0.99),
    });
  },
);
