// The other ways to sign in, as far as the server offers them. Without any, nothing is shown.
import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { lazy, useState } from 'react';
import { useSave } from '#web/components/form/use-save.ts';
import { LatePart } from '#web/components/layout/late-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { ProviderMark } from '#web/components/ui/provider-mark.tsx';
import { offersQuery } from '#web/lib/session/auth-settings-query.ts';
import { providerLabel } from '#web/lib/session/provider.ts';
import { signInWithProvider } from '../api/sign-in-elsewhere.ts';

const CompanySignIn = lazy(async () => ({
  default: (await import('./company-sign-in.tsx')).CompanySignIn,
}));

export function ProviderButtons() {
  // Settings that can't be read leave the form as it is: e-mail and password always work.
  const { data } = useQuery(offersQuery());
  const [asksCompany, setAsksCompany] = useState(false);
  const { save } = useSave();
  if (!data || (data.providers.length === 0 && !data.hasCompanySignIn)) return null;
  if (asksCompany) {
    return (
      <LatePart fallback={<Loading className="py-6" />}>
        <CompanySignIn onBack={() => setAsksCompany(false)} />
      </LatePart>
    );
  }
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {data.providers.map((name) => (
        <Button key={name} variant="secondary" onClick={() => save(() => signInWithProvider(name))}>
          <ProviderMark name={name} />
          Continue with {providerLabel(name)}
        </Button>
      ))}
      {data.hasCompanySignIn && (
        <Button variant="secondary" onClick={() => setAsksCompany(true)}>
          <Building2 aria-hidden="true" className="size-5 text-accent" />
          Sign in with your company
        </Button>
      )}
    </div>
  );
}
