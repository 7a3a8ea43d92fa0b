// The embedded font of PDFs, loaded once and only if a PDF has letters that the standard fonts lack.

let font: { normal: string; bold: string } | undefined;

/** @returns both weights as TrueType in base64; undefined until a PDF needed them */
export const wideFont = () => font;

/** Draws a PDF, and again with the embedded font if the text needs it. */
export async function withFonts<P extends { lacksFont: boolean }>(draw: () => P): Promise<P> {
  const paper = draw();
  if (!paper.lacksFont) return paper;
  const [normal, bold] = await Promise.all([
    import('./fonts/regular.ts'),
    import('./fonts/bold.ts'),
  ]);
  font = { normal: normal.default, bold: bold.default };
  return draw();
}
