import { describe, expect, it } from 'vitest';
import { readFileName } from './evidence-rules.ts';

const ID = '5b1f0c9e-3d7a-4c55-9a3e-0f2d8b6c7a11';
const nameOf = (url: string, type = 'image/jpeg') => readFileName({ type, url });

describe('fileNameOf', () => {
  it.each([
    [`${ID}/0a1b2c3d-gate.jpg`, 'gate.jpg'],
    [`${ID}/0a1b2c3d-${ID}.jpg`, 'photo.jpg'],
    [`${ID}/${ID}.jpg`, 'photo.jpg'],
    [`${ID}/${ID}`, 'photo'],
    [`${ID}/${ID}-fence.jpg`, 'fence.jpg'],
    [`${ID}/gate.jpg`, 'gate.jpg'],
    ['https://example.com/a/camera-2.png?width=200', 'camera-2.png'],
  ])('names %s %s', (url, name) => {
    expect(nameOf(url)).toBe(name);
  });

  it('calls what is no photo a document', () => {
    expect(nameOf(`${ID}/${ID}.pdf`, 'application/pdf')).toBe('document.pdf');
  });
});
