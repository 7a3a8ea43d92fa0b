// The chain of refresh tokens: made again only with both the parent and the salt.
import { describe, expect, it } from 'vitest';
import { firstToken, hashToken, hasTokenShape, nextToken } from './tokens.ts';

describe('refresh tokens', () => {
  it('follow from parent and salt together', () => {
    const first = firstToken();
    const next = nextToken(first.token);
    expect(nextToken(first.token, next.salt)).toEqual(next);
    expect(nextToken(first.token).token).not.toBe(next.token);
    expect(nextToken(firstToken().token, next.salt).token).not.toBe(next.token);
  });

  it('are stored as a hash', () => {
    const { token, hash } = firstToken();
    expect(hash).toBe(hashToken(token));
    expect(hash).not.toContain(token);
  });

  it('have a shape that anything else lacks', () => {
    expect(hasTokenShape(firstToken().token)).toBe(true);
    expect(hasTokenShape(nextToken(firstToken().token).token)).toBe(true);
    for (const other of ['', 'short', 'ABCDEFGHIJKLMNOP', 'a'.repeat(65), "abcdefghijkl' or 1"]) {
      expect(hasTokenShape(other), other).toBe(false);
    }
  });
});
