import { company } from '#company';
import { START_CODE_PATH } from '#shared/app-paths.ts';
import { formatPhone } from '#shared/phone.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';

/** A start code with whom it is for. */
export type Issued = {
  id: string;
  name: string;
  /** E.164. */
  phone: string | null;
  email: string | null;
  code: string;
  expires_at: string;
};

/** @returns for example "1234 5678" */
export const spaced = (code: string) => code.replace(/(\d{4})(?=\d)/g, '$1 ');

/** The number where there is one. */
export const findLogin = ({ phone, email }: Issued) => (phone ? formatPhone(phone) : (email ?? ''));

/** Fills the form that asks for the code. The fragment is never sent to a server, so no log has it. */
export function buildLink({ phone, email, code }: Issued): string {
  const filled = new URLSearchParams({ login: phone ?? email ?? '', start: code });
  return `${location.origin}${START_CODE_PATH}#${filled}`;
}

export function messageFor(issued: Issued): string {
  const until = formatInstantDay(issued.expires_at);
  return [
    `${company.name}: your account is ready.`,
    `Open ${buildLink(issued)} or sign in with ${findLogin(issued)} and the start code ${spaced(issued.code)}.`,
    `It works once, until ${until}.`,
  ].join(' ');
}
