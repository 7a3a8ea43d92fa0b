import { company } from '#company';
import { formatCount } from '#shared/count.ts';
import type { StepName, StepState } from './api.ts';

type Target = {
  label: string;
  to:
    | '/admin/clients'
    | '/admin/contracts'
    | '/admin/invoices/vat'
    | '/admin/payroll'
    | '/admin/payruns/accounts'
    | '/admin/people/new'
    | '/admin/roster'
    | '/admin/roster/posts'
    | '/admin/roster/rules'
    | '/admin/sites'
    | '/admin/system'
    | '/admin/timesheets/rules'
    | '/admin/users';
  search?: Record<string, string>;
};

type StepText = {
  title: string;
  text: string;
  /** The form or screen where it is done. */
  target?: Target;
  /** Of the button that confirms settings. */
  confirm?: string;
  /** Steps that must be done first. */
  needs?: readonly StepName[];
  /** What there is, for example ["site", "sites"]. */
  noun?: readonly [one: string, many: string];
};

export const STEP_TEXTS: Record<StepName, StepText> = {
  company: {
    title: 'Company and time zone',
    text: `${company.name}; days begin and end as in ${company.timeZone}. Both are set on the server, in company.config.ts: its operator can change them.`,
    confirm: 'Confirm',
  },
  clients: {
    title: 'Clients',
    text: 'Who pays for the guards. Sites and contracts name them. Many at once: Import in the list.',
    target: { label: 'Add Client', to: '/admin/clients', search: { open: 'new' } },
    noun: ['client', 'clients'],
  },
  sites: {
    title: 'Sites',
    text: 'The places that you guard. With a position on the map, clock-ins are checked against it. Many at once: Import in the list.',
    target: { label: 'Add Site', to: '/admin/sites', search: { open: 'new' } },
    noun: ['site', 'sites'],
  },
  guards: {
    title: 'Guards',
    text: 'One by one with a start code for their phone, or many from a file.',
    target: { label: 'Hire Guards', to: '/admin/people/new' },
    noun: ['guard', 'guards'],
  },
  posts: {
    title: 'Posts and what they need',
    text: 'Where guards stand at a site, and how many at which hours. The shifts follow from it.',
    target: { label: 'Add Post', to: '/admin/roster/posts', search: { open: 'new' } },
    needs: ['sites'],
    noun: ['post with a pattern', 'posts with a pattern'],
  },
  roster_rules: {
    title: 'Roster rules',
    text: 'Rest, hours a week, nights in a row. They begin with the law of Liberia: check them, or add your own.',
    target: { label: 'Check Rules', to: '/admin/roster/rules' },
    confirm: 'Confirm',
  },
  roster: {
    title: 'First published week',
    text: 'Fill the roster and publish it. Guards then see their shifts.',
    target: { label: 'Open Roster', to: '/admin/roster' },
    needs: ['posts', 'guards'],
    noun: ['published week', 'published weeks'],
  },
  time_rules: {
    title: 'Time rules',
    text: 'What counts as overtime, night and holiday, and how minutes are rounded.',
    target: { label: 'Check Rules', to: '/admin/timesheets/rules' },
    confirm: 'Confirm',
  },
  contracts: {
    title: 'Contracts',
    text: 'What each client pays for which post. Invoices follow from them.',
    target: { label: 'Add Contract', to: '/admin/contracts', search: { open: 'new' } },
    needs: ['clients'],
    noun: ['contract', 'contracts'],
  },
  vat: {
    title: 'VAT',
    text: 'It replaces GST on January 1, 2027. Approve the rate and confirm the registration, or confirm here that the company is not registered.',
    target: { label: 'Check VAT', to: '/admin/invoices/vat', search: { tab: 'registration' } },
    confirm: 'Not Registered',
  },
  pay_rules: {
    title: 'Pay rates',
    text: 'Income tax, NASSCORP, exchange rate and minimum wage. A second person approves changes.',
    target: { label: 'Check Rates', to: '/admin/payroll', search: { dialog: 'rates' } },
    confirm: 'Confirm',
  },
  bank_formats: {
    title: 'Payment formats',
    text: 'The columns that your bank and the mobile money networks expect in payment files.',
    target: {
      label: 'Check Formats',
      to: '/admin/payruns/accounts',
      search: { formats: company.currencies[0] },
    },
    confirm: 'Confirm',
  },
  office: {
    title: 'People for the office',
    text: 'Planners, HR, finance. Pay, rates and closings need a second person, who approves them.',
    target: { label: 'Invite User', to: '/admin/users', search: { open: 'new' } },
    noun: ['person with a role in the office', 'people with a role in the office'],
  },
  messages: {
    title: 'Mail and text messages',
    text: 'Send yourself a test message under System. Confirm here once it has arrived.',
    target: { label: 'Test Messages', to: '/admin/system' },
    confirm: 'It Has Arrived',
  },
  backup: {
    title: 'Backup',
    text: 'The operator of the server sets BACKUP_DIR and BACKUP_PASSPHRASE. Done with the first backup.',
    target: { label: 'Open System', to: '/admin/system' },
    confirm: 'Backed Up Elsewhere',
  },
};

export const STEP_GROUPS: readonly { title: string; steps: readonly StepName[] }[] = [
  {
    title: 'To the first published week',
    steps: ['company', 'clients', 'sites', 'guards', 'posts', 'roster_rules', 'roster'],
  },
  {
    title: 'To the first paid and billed month',
    steps: ['time_rules', 'contracts', 'vat', 'pay_rules', 'bank_formats'],
  },
  { title: 'To run safely', steps: ['office', 'messages', 'backup'] },
];

/** Neither done nor left for later. */
export const isOpen = ({ done, mark }: StepState): boolean => !done && mark === null;

/** @returns the steps that must be done before this one */
export function missingBefore(step: StepName, state: readonly StepState[]): StepName[] {
  const { needs = [] } = STEP_TEXTS[step];
  return needs.filter((need) => state.some((one) => one.step === need && !one.done));
}

/** @returns the first open step that waits for no other one; undefined once none is open */
export const nextStep = (state: readonly StepState[]): StepState | undefined =>
  state.find((one) => isOpen(one) && missingBefore(one.step, state).length === 0) ??
  state.find(isOpen);

/** @returns for example "4 of 15 done, 2 left for later" */
export function progressText(state: readonly StepState[]): string {
  const done = state.filter((one) => one.done).length;
  const later = state.filter((one) => !one.done && one.mark === 'later').length;
  return `${done} of ${state.length} done${later > 0 ? `, ${later} left for later` : ''}`;
}

/** @returns for example "3 sites"; undefined where nothing is counted */
export function countText({ step, count }: StepState): string | undefined {
  const { noun } = STEP_TEXTS[step];
  return noun && count > 0 ? `${formatCount(count)} ${noun[count === 1 ? 0 : 1]}` : undefined;
}
