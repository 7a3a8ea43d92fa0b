import { withFonts } from '#shared/documents/wide-font.ts';
import { download } from '../files/download.ts';
import type { PostPage } from './post-page.ts';

/** The PDF library loads on demand. */
export async function downloadPostPage(page: PostPage): Promise<void> {
  const { postPagePdf } = await import('./post-page-pdf.ts');
  const name = page.facts.site.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const paper = await withFonts(() => postPagePdf(page));
  download(`book-${name}-${page.day}.pdf`, paper.pdf.output('blob'));
}
