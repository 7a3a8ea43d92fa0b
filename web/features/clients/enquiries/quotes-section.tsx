import { Link } from '@tanstack/react-router';
import { formatMoney } from '#shared/money.ts';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { ITEM_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import { useQuotesOf } from './quote-api.ts';
import { nameOf, shownStatus } from './quote-schema.ts';

/** The quotes to an enquirer, in the dialog of the enquiry. */
export function QuotesSection({ enquiryId }: { enquiryId: string }) {
  return (
    <section aria-label="Quotes" className="border-t border-line pt-6">
      <div className="flex items-center justify-between gap-4">
        <h3 className="font-display text-xl leading-tight">Quotes</h3>
        <Link
          to="/admin/enquiries/quotes/new"
          search={{ enquiry: enquiryId }}
          className={buttonStyles({ variant: 'secondary' })}
        >
          Write Quote
        </Link>
      </div>
      <Loaded query={useQuotesOf(enquiryId)} loadingText="Loading quotes...">
        {(quotes) =>
          quotes.length > 0 && (
            <ul className="mt-4 divide-y divide-line rounded-sm border border-line">
              {quotes.map((quote) => (
                <li key={quote.id}>
                  <Link
                    to="/admin/enquiries/quotes/$id"
                    params={{ id: quote.id }}
                    className={ITEM_LINK}
                  >
                    <SectionRow
                      title={nameOf(quote)}
                      detail={`${quote.site_name}, ${formatMoney(quote.total, quote.currency)} a month`}
                      badge={<StatusBadge status={shownStatus(quote)} />}
                    />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
