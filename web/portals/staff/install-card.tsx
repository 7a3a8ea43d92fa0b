// Offers, once and quietly, to put the portal on the home screen.
import { Share, Smartphone } from 'lucide-react';
import { company } from '#company';
import { Button } from '#web/components/ui/button.tsx';
import { dismissInstall, useInstallable } from '#web/lib/app/install.ts';

export function InstallCard() {
  const installable = useInstallable();
  if (!installable) return null;
  const isShareMenu = installable.how === 'share-menu';
  const Icon = isShareMenu ? Share : Smartphone;
  return (
    <section
      aria-label="Install"
      className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-sm border border-line p-4 sm:px-5"
    >
      <Icon aria-hidden="true" className="size-6 shrink-0 text-accent" />
      <p className="min-w-48 flex-1 text-sm">
        <span className="block font-semibold">{company.shortName} on your home screen</span>
        <span className="text-muted">
          {isShareMenu
            ? 'Tap Share, then Add to Home Screen. It opens without a signal too.'
            : 'It opens faster, and without a signal too.'}
        </span>
      </p>
      <div className="flex gap-2">
        {installable.how === 'button' && (
          <Button variant="secondary" onClick={() => void installable.install()}>
            Install
          </Button>
        )}
        <Button variant="ghost" onClick={dismissInstall}>
          Not now
        </Button>
      </div>
    </section>
  );
}
