import type { Provider } from '@supabase/supabase-js';
import * as z from 'zod/mini';

const LABELS = new Map([
  ['azure', 'Microsoft'],
  ['email', 'Email and password'],
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['linkedin_oidc', 'LinkedIn'],
  ['phone', 'Phone'],
]);

/** @param name as in the settings @returns for example "Microsoft" for azure, "Okta Staff" for okta_staff */
export function providerLabel(name: string): string {
  if (name.startsWith('sso:')) return 'Company account';
  const words = name.replace(/^custom:/, '').split(/[_-]/);
  return (
    LABELS.get(name) ?? words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  );
}

// supabase-js types the names it knows, but the server may be configured with others.
const providerSchema = z.custom<Provider>(
  (name: unknown) => typeof name === 'string' && name !== '',
);

export function providerOf(name: string): Provider {
  return providerSchema.parse(name);
}
