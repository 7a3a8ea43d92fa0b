// Checking costs the same work for known and unknown accounts.

import path from 'node:path';
import * as bcrypt from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { openPasswords, readCommonPasswords } from './passwords.ts';

const isCommon = await readCommonPasswords(path.resolve(import.meta.dirname, '..', '..', '..'));

describe('checking a password', () => {
  it('computes one hash of cost 10, whether or not there is an account', async () => {
    const compared: string[] = [];
    const passwords = openPasswords(
      6,
      () => false,
      async (password, hash) => {
        compared.push(String(hash));
        return bcrypt.verify(password, hash);
      },
    );
    const stored = await passwords.hash('correct-horse-7');
    expect(await passwords.matches('correct-horse-7', stored)).toBe(true);
    expect(await passwords.matches('correct-horse-7', null)).toBe(false);
    expect(await passwords.matches('correct-horse-7', '')).toBe(false);
    expect(await passwords.matches('x'.repeat(73), stored)).toBe(false);
    expect(compared).toHaveLength(4);
    for (const hash of compared) expect(bcrypt.parseOptions(hash).cost).toBe(10);
  });

  it('does not match what begins alike but is longer than bcrypt reads', async () => {
    const passwords = openPasswords(6, isCommon);
    const stored = await passwords.hash('x'.repeat(72));
    expect(await passwords.matches('x'.repeat(72), stored)).toBe(true);
    expect(await passwords.matches('x'.repeat(73), stored)).toBe(false);
  });
});

describe('a good password', () => {
  const { requireGood } = openPasswords(6, isCommon);

  it('has at least six characters, as people count them', () => {
    expect(() => requireGood('abcdef')).not.toThrow();
    expect(() => requireGood('😀😀😀😀😀😀')).not.toThrow();
    expect(() => requireGood('😀😀😀')).toThrow('Password should be at least 6 characters.');
  });

  it('is none of those that everybody tries first, in whatever case', () => {
    for (const common of [
      '123456',
      'password',
      'PassWord1',
      'qwertyuiop',
      'iloveyou',
      ' 111111 ',
    ]) {
      expect(() => requireGood(common), common).toThrow(/^Password is known to be weak/);
    }
    expect(() => requireGood('123456 horses')).not.toThrow();
  });

  it('is longer where more is asked for, never shorter', () => {
    expect(() => requireGood('seven-7', 8)).toThrow('Password should be at least 8 characters.');
    expect(() => requireGood('five5', 5)).toThrow('Password should be at least 6 characters.');
  });

  it('has at most 72 bytes', () => {
    expect(() => requireGood('x'.repeat(72))).not.toThrow();
    expect(() => requireGood('é'.repeat(37))).toThrow(
      'Password cannot be longer than 72 characters',
    );
  });
});
