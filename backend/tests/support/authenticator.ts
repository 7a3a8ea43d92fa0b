// A virtual authenticator: creates WebAuthn credentials and responses in the form that browsers send.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** Deviations of an attacker or of a browser on another origin. */
export interface Twist {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Signs with an unregistered key. */
  wrongKey?: boolean;
  unverified?: boolean;
  counter?: number;
  userHandle?: string;
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();

export interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

export interface RequestOptions {
  challenge: string;
  rpId?: string;
}

export class Authenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;
  #userHandle = '';

  /** @param origin of the requesting page */
  constructor(readonly origin: string) {}

  #clientData(type: string, challenge: string, twist: Twist): string {
    const origin = twist.origin ?? this.origin;
    return JSON.stringify({ type, challenge: twist.challenge ?? challenge, origin });
  }

  #authenticatorData(rpId: string, twist: Twist, credential: Buffer = Buffer.alloc(0)): Buffer {
    this.#counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(twist.counter ?? this.#counter);
    const flags =
      USER_PRESENT |
      (twist.unverified ? 0 : USER_VERIFIED) |
      (credential.length > 0 ? HAS_CREDENTIAL : 0);
    return Buffer.concat([sha256(twist.rpId ?? rpId), Buffer.from([flags]), counter, credential]);
  }

  #publicKey(): Uint8Array {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    return isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
  }

  create(options: CreationOptions, twist: Twist = {}) {
    this.#userHandle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey()]);
    const authData = this.#authenticatorData(options.rp.id ?? '', twist, credential);
    const attestationObject = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(authData)],
      ]),
    );
    return {
      id: base64url(this.id),
      rawId: base64url(this.id),
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', options.challenge, twist)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    };
  }

  get(options: RequestOptions, twist: Twist = {}) {
    const clientData = this.#clientData('webauthn.get', options.challenge, twist);
    const authenticatorData = this.#authenticatorData(options.rpId ?? '', twist);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    const key: KeyObject = twist.wrongKey
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#keys.privateKey;
    return {
      id: base64url(this.id),
      rawId: base64url(this.id),
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign('sha256', signed, key)),
        userHandle: twist.userHandle ?? this.#userHandle,
      },
    };
  }
}
