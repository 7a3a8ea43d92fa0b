// A key pair with a self-signed certificate per run: Node reads certificates but can't create them (RFC 5280, 4.1).
import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certified {
  /** PEM. */
  privateKey: string;
  /** PEM. */
  certificate: string;
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const time = (text: string): Buffer => der(0x17, Buffer.from(text));
/** sha256WithRSAEncryption. */
const ALGORITHM = sequence(
  der(0x06, Buffer.from('2a864886f70d01010b', 'hex')),
  Buffer.from([0x05, 0]),
);

export function certified(name: string): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const commonName = sequence(
    der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ALGORITHM,
    commonName,
    sequence(time('200101000000Z'), time('490101000000Z')),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines = sequence(body, ALGORITHM, signature)
    .toString('base64')
    .replace(/.{64}/g, '$&\n')
    .trimEnd();
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
