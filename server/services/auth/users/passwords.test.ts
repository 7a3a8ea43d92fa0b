// That checking costs the same work for known and unknown accounts, and what counts as a good password.
import * as bcrypt from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { openPasswords } from './passwords.ts';

describe('checking a password', () => {
  it('computes one hash of cost 10, whether or not there is an account', async () => {
    const compared: string[] = [];
    const passwords = openPasswords(6, async (password, hash) => {
      compared.push(String(hash));
      return bcrypt.verify(password, hash);
    });
    const stored = await passwords.hash('correct-horse-7');
    expect(await passwords.matches('correct-horse-7', stored)).toBe(true);
    expect(await passwords.matches('correct-horse-7', null)).toBe(false);
    expect(await passwords.matches('correct-horse-7', '')).toBe(false);
    expect(await passwords.matches('x'.repeat(73), stored)).toBe(false);
    expect(compared).toHaveLength(4);
    for (const hash of compared) expect(bcrypt.parseOptions(hash).cost).toBe(10);
  });

  it('does not match what begins alike but is longer than bcrypt reads', async () => {
    const passwords = openPasswords(6);
    const stored = await passwords.hash('x'.repeat(72));
    expect(await passwords.matches('x'.repeat(72), stored)).toBe(true);
    expect(await passwords.matches('x'.repeat(73), stored)).toBe(false);
  });
});

describe('a good password', () => {
  const { requireGood } = openPasswords(6);

  it('has at least six characters, as people count them', () => {
    expect(() => requireGood('abcdef')).not.toThrow();
    expect(() => requireGood('😀😀😀😀😀😀')).not.toThrow();
    expect(() => requireGood('😀😀😀')).toThrow('Password should be at least 6 characters.');
  });

  it('has at most 72 bytes', () => {
    expect(() => requireGood('x'.repeat(72))).not.toThrow();
    expect(() => requireGood('é'.repeat(37))).toThrow(
      'Password cannot be longer than 72 characters',
    );
  });
});
