import { Phone } from 'lucide-react';
import { company } from '#company';
import { buttonStyles } from '#web/components/ui/button.tsx';

/** For pages where a user is stuck: the company's number, answered at any hour. */
export function Hotline() {
  return (
    <p className="mt-10 border-t border-line pt-6 text-sm text-balance text-muted">
      Need help now? Our hotline answers 24 hours a day.
      <a
        href={`tel:${company.hotline.replace(/[^\d+]/g, '')}`}
        className={buttonStyles({ variant: 'link', className: 'mx-auto flex w-fit text-base' })}
      >
        <Phone aria-hidden="true" className="size-4" />
        {company.hotline}
      </a>
    </p>
  );
}
