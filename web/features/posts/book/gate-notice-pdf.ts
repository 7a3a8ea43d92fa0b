// What visitors read at the gate: what is written down about them, how long it is kept, and whom to ask.
import { company } from '#company';
import { Paper } from '#shared/documents/paper.ts';

export type GateNotice = {
  /** Of the site. */
  name: string;
  client: string;
  /** How long visits are kept. */
  days: number;
  /** Whether the client reads who came. */
  isListed: boolean;
};

/** Points, to be read standing. */
const SIZE = 14;

export function gateNoticePdf({ name, client, days, isListed }: GateNotice): Paper {
  const title = 'Notice to visitors';
  const paper = Paper.letterTo({ name }, title, `${title}, ${name}`);
  const part = (heading: string, text: string) => {
    paper.space(5);
    paper.text(heading, { bold: true, size: SIZE });
    paper.space(1);
    paper.text(text, { size: SIZE });
  };
  part(
    'What we write down',
    'Your name, your company, whom you visit, your badge, the plate of your vehicle, and when you come and go. We note which kind of document you show, and never its number.',
  );
  part(
    'Why',
    'To know who is inside if there is a fire or another emergency, and who was here when something happened.',
  );
  part(
    'Who sees it',
    `The guards on duty here and the office of ${company.name}.${isListed ? ` ${client}, whose premises these are, sees who came.` : ` ${client}, whose premises these are, sees only how many came.`}`,
  );
  part('How long we keep it', `${days} days after you leave. Then it is deleted.`);
  part(
    'Whom to ask',
    `Ask us what we keep about you, and tell us if it is wrong: ${company.name}, ${company.hotline}, ${company.email}.`,
  );
  paper.footer(`${title}, ${name}`);
  return paper;
}
