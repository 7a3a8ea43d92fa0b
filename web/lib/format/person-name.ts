import { formatPhone } from '#shared/phone.ts';

type Named = { full_name: string | null; email: string | null; phone?: string | null };

/** The name to show; the email address or phone number where there is no name. */
export function formatName(person: Named | null): string {
  if (person === null) return 'No name';
  const { full_name, email, phone } = person;
  return full_name || email || (phone && formatPhone(phone)) || 'No name';
}

/** @returns for example "P. Dolo" for Prince Dolo, where there is little room */
export function formatShortName(person: Named | null): string {
  const name = formatName(person);
  const [first = '', ...rest] = name.split(' ');
  return rest.length === 0 ? name : `${first.charAt(0)}. ${rest.join(' ')}`;
}

/** @returns for example "MK" */
export function formatInitials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.[0]?.toUpperCase() ?? '')
    .join('');
}
