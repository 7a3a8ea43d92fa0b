// Development only: renders the page without a build.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { company } from '#company';
import { illustrations } from './art/illustrations.tsx';
import { SitePage } from './page.tsx';

const dataUrl = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

export function renderSite(): void {
  const root = document.getElementById('site');
  if (!root) throw new Error('The page has no #site.');
  document.title = company.name;
  const { management, personnel, night } = illustrations();
  const addresses = {
    management: dataUrl(management),
    personnel: dataUrl(personnel),
    night: dataUrl(night),
  };
  flushSync(() => createRoot(root).render(<SitePage illustrations={addresses} />));
}
