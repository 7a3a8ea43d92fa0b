// The drawings under Our Team as files of their own: they are too large for the page and load when a visitor comes near.
import { renderToStaticMarkup } from 'react-dom/server';
import { TeamManagement } from './team-management.tsx';
import { TeamNight } from './team-night.tsx';
import { TeamPersonnel } from './team-personnel.tsx';

const DRAWINGS = { management: TeamManagement, personnel: TeamPersonnel, night: TeamNight };

export type IllustrationName = keyof typeof DRAWINGS;

const document = (Drawing: () => React.ReactElement) =>
  renderToStaticMarkup(<Drawing />).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');

/** @returns SVG documents */
export const illustrations = (): Record<IllustrationName, string> => ({
  management: document(DRAWINGS.management),
  personnel: document(DRAWINGS.personnel),
  night: document(DRAWINGS.night),
});
