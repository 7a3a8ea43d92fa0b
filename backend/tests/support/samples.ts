// Small files of many types with their magic numbers.
import sharp from 'sharp';

/** An image of one colour. */
export function picture(
  format: 'jpeg' | 'png' | 'webp' | 'gif',
  width = 40,
  height = 30,
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#b08d4f' } })
    .toFormat(format)
    .toBuffer();
}

export const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << >>\n%%EOF\n',
);
/** The container of old Office files. */
export const COMPOUND = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)]);
/** The same with the root entry of a Windows installer. */
export const INSTALLER = Buffer.concat([
  COMPOUND,
  Buffer.from('84100c0000000000c000000000000046', 'hex'),
]);
export const ELF = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(200)]);
export const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
export const MP4 = Buffer.concat([
  Buffer.from('00000018', 'hex'),
  Buffer.from('ftypmp42'),
  Buffer.from('00000000', 'hex'),
  Buffer.from('mp42isom'),
]);
export const OGG = Buffer.concat([
  Buffer.from('OggS'),
  Buffer.alloc(24),
  Buffer.from('OpusHead'),
  Buffer.alloc(64),
]);

/** An archive of empty, uncompressed files with these names, like an Office document. */
export function archive(entries: Record<string, string>): Buffer {
  const parts = Object.entries(entries).map(([name, text]) => {
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt32LE(text.length, 18);
    header.writeUInt32LE(text.length, 22);
    header.writeUInt16LE(name.length, 26);
    return Buffer.concat([header, Buffer.from(name), Buffer.from(text)]);
  });
  return Buffer.concat([...parts, Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);
}

export const DOCX = archive({
  '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  'word/document.xml': '<document/>',
});
