// Written evidence: a statement as PDF, a note as text.

const LINE_LENGTH = 82;

/** @returns lines of at most `LINE_LENGTH` characters */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, '?').replace(/[\\()]/g, (sign) => `\\${sign}`);

/** @returns one page in Helvetica, a standard PDF font (PDF 1.4) */
export function statement(title: string, paragraphs: readonly string[]): Buffer {
  const body = paragraphs.flatMap((text) => [...wrapped(text), '']);
  const text = [
    'BT /F1 16 Tf 64 770 Td 18 TL',
    `(${escaped(title)}) Tj T* /F1 11 Tf T*`,
    ...body.map((line) => `(${escaped(line)}) Tj T*`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`, 'latin1');
}

export function note(title: string, paragraphs: readonly string[]): Buffer {
  const body = paragraphs.flatMap((text) => [...wrapped(text), '']);
  return Buffer.from([title, '', ...body].join('\n'), 'utf8');
}
