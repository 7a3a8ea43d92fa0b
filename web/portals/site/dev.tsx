// Development only: renders the page without a build.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { company } from '#company';
import { SitePage } from './page.tsx';

export function renderSite(): void {
  const root = document.getElementById('site');
  if (!root) throw new Error('The page has no #site.');
  document.title = company.name;
  flushSync(() => createRoot(root).render(<SitePage />));
}
