import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readExif } from './read-exif.ts';

type Exif = Record<string, Record<string, string>>;

async function photo(exif: Exif): Promise<Blob> {
  const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: '#345' } });
  return new Blob([new Uint8Array(await plain.withExif(exif).jpeg().toBuffer())]);
}

const PLACE = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '6/1 18/1 2160/100',
  GPSLongitudeRef: 'W',
  GPSLongitude: '10/1 48/1 1080/100',
};

describe('the metadata of a photo', () => {
  test('gives the position, and GPS time before the camera’s', async () => {
    const file = await photo({
      IFD2: { DateTimeOriginal: '2026:11:20 21:04:05', OffsetTimeOriginal: '+01:00' },
      IFD3: { ...PLACE, GPSDateStamp: '2026:11:20', GPSTimeStamp: '20/1 4/1 7/1' },
    });
    expect(await readExif(file)).toEqual({
      takenAt: '2026-11-20T20:04:07.000Z',
      gps: '6.306000,-10.803000',
    });
  });

  test('gives the camera’s time with its offset without GPS time', async () => {
    const file = await photo({
      IFD2: { DateTimeOriginal: '2026:11:20 21:04:05', OffsetTimeOriginal: '+01:00' },
    });
    expect(await readExif(file)).toEqual({ takenAt: '2026-11-20T20:04:05.000Z', gps: null });
  });

  test('gives no position without a GPS fix', async () => {
    const zeros = '0/1 0/1 0/1';
    const file = await photo({ IFD3: { ...PLACE, GPSLatitude: zeros, GPSLongitude: zeros } });
    expect((await readExif(file)).gps).toBeNull();
  });
});

test('files without metadata, of other types, and damaged ones give nulls', async () => {
  const nothing = { takenAt: null, gps: null };
  const whole = await photo({ IFD3: PLACE });
  const bytes = new Uint8Array(await whole.arrayBuffer());
  expect(await readExif(new Blob(['%PDF-1.7 and so on']))).toEqual(nothing);
  expect(await readExif(new Blob([]))).toEqual(nothing);
  for (const length of [2, 11, 30, 44, 70, 110, 150, 190]) {
    const { gps } = await readExif(new Blob([bytes.slice(0, length)]));
    expect([null, '6.306000,-10.803000']).toContain(gps);
  }
});
