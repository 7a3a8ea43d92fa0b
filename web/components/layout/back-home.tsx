// Leads from a sign-in to the public site, which is a page of its own.
import { ArrowLeft } from 'lucide-react';
import { buttonStyles } from '#web/components/ui/button-styles.ts';

export function BackHome() {
  return (
    <a href="/" className={buttonStyles({ variant: 'link' })}>
      <ArrowLeft aria-hidden="true" className="size-4" />
      Back to Home
    </a>
  );
}
