type Named = { full_name: string | null; email: string | null };

/** The name to show; the email address where there is no name. */
export function nameOf(person: Named | null): string {
  return person?.full_name || person?.email || 'No name';
}
