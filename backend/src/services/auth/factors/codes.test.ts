import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { enrolment } from './codes.ts';

it('draws the address of a factor as a QR code that is dark on light', async () => {
  const { uri, qr_code } = enrolment('Example Security', 'guard@test.example');
  const image = sharp(Buffer.from(qr_code)).resize(400, 400).flatten({ background: 'white' });
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(decodeQR({ width: info.width, height: info.height, data })).toBe(uri);
  expect(qr_code).toContain('background:white');
});
