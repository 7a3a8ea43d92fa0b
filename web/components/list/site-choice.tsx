import { useId } from 'react';
import { Picker } from '#web/components/ui/picker.tsx';
import { useMatchingSites, useSite } from '#web/lib/data/lookups.ts';

type SiteChoiceProps = {
  /** Id of the site; empty for none. */
  value: string;
  onChoose: (site: string | undefined) => void;
  /** The choice of no site, for example "All sites". */
  empty?: string;
};

export function SiteChoice({ value, onChoose, empty = 'Choose' }: SiteChoiceProps) {
  const { data: site } = useSite(value || undefined);
  const id = useId();
  return (
    <div className="w-72 max-sm:w-full">
      <label htmlFor={id} className="sr-only">
        Site
      </label>
      <Picker
        id={id}
        aria-describedby={undefined}
        searchLabel="Search: Site"
        placeholder={empty}
        value={site ?? undefined}
        onChange={(choice) => onChoose(choice?.id)}
        useChoices={useMatchingSites}
      />
    </div>
  );
}
