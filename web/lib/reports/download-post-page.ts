import { withFonts } from '#shared/documents/wide-font.ts';
import { download, toFileName } from '../files/download.ts';
import type { PostPage } from './post-page.ts';

/** The PDF library loads on demand. */
export async function downloadPostPage(page: PostPage): Promise<void> {
  const { postPagePdf } = await import('./post-page-pdf.ts');
  const name = toFileName(page.facts.site);
  const paper = await withFonts(() => postPagePdf(page));
  download(`book-${name}-${page.day}.pdf`, paper.pdf.output('blob'));
}
