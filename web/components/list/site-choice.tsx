import { useId } from 'react';
import { OptionSelect } from '#web/components/ui/option-select.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';

type SiteChoiceProps = {
  /** Id of the site; empty for none. */
  value: string;
  onChoose: (site: string | undefined) => void;
  /** The choice of no site, for example "All sites". */
  empty?: string;
};

/** The site that a screen shows. */
export function SiteChoice({ value, onChoose, empty }: SiteChoiceProps) {
  const { data: sites = [] } = useSiteOptions();
  const id = useId();
  return (
    <div className="w-72 max-sm:w-full">
      <label htmlFor={id} className="sr-only">
        Site
      </label>
      <OptionSelect
        id={id}
        isSearched
        searchLabel="Search: Site"
        {...(empty && { empty })}
        options={sites.map((site) => [site.id, site.name])}
        value={value}
        onChange={(chosen) => onChoose(chosen || undefined)}
      />
    </div>
  );
}
