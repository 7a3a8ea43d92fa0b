import { type ComponentProps, lazy } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { createFields } from '#web/components/form/fields.tsx';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { parseWholeNumber } from '#web/lib/form-fields/whole-number-field.ts';
import { useSitesOnMap } from './api.ts';
import { degreesEntry, parsePosition, pastedPair } from './degrees.ts';
import { type SiteForm, siteSchema } from './schema.ts';

/** Loaded with the first form: the outline of the country is larger than the rest of this screen. */
const SiteMap = lazy(async () => ({ default: (await import('./site-map.tsx')).SiteMap }));

function LazySiteMap(props: ComponentProps<typeof SiteMap>) {
  return (
    <LazyPart fallback={<Loading className="h-72 sm:h-80" />}>
      <SiteMap {...props} />
    </LazyPart>
  );
}

type PositionFieldsProps = {
  form: UseFormReturn<SiteForm>;
  /** Undefined for a new site. */
  siteId: string | undefined;
};

export function PositionFields({ form, siteId }: PositionFieldsProps) {
  const { register, watch, setValue, formState } = form;
  // The map also works without the other sites.
  const { data: sites = [] } = useSitesOnMap();
  const [latitude, longitude, radius] = watch(['latitude', 'longitude', 'geofence_radius_m']);

  function setBoth(first: string, second: string) {
    const options = { shouldDirty: true, shouldValidate: true };
    setValue('latitude', first, options);
    setValue('longitude', second, options);
  }
  const pasted = register('latitude');
  const field = createFields(form);
  return (
    <fieldset className="grid gap-5 sm:col-span-2 sm:grid-cols-3">
      <legend className="mb-1.5 text-sm font-semibold">Position (optional)</legend>
      <div className="grid gap-2 sm:col-span-3">
        <LazySiteMap
          pin={parsePosition(latitude, longitude)}
          radius={
            siteSchema.shape.geofence_radius_m.safeParse(radius).success
              ? parseWholeNumber(radius)
              : undefined
          }
          others={sites.filter(({ id }) => id !== siteId)}
          onPick={(position) =>
            setBoth(degreesEntry(position.latitude), degreesEntry(position.longitude))
          }
        />
        <p className="text-sm text-muted">
          Press on the map or drag the pin. The outline works without internet; other sites are
          shown as blue dots.
        </p>
      </div>
      <Field label="Latitude" error={formState.errors.latitude?.message}>
        {(control) => (
          <Input
            {...control}
            {...pasted}
            inputMode="text"
            autoComplete="off"
            placeholder="6.3005"
            onPaste={(event) => {
              const pair = pastedPair(event.clipboardData.getData('text'));
              if (!pair) return;
              event.preventDefault();
              setBoth(...pair);
            }}
          />
        )}
      </Field>
      {field.text('longitude', 'Longitude', { inputMode: 'text', placeholder: '-10.7969' })}
      {field.count('geofence_radius_m', 'Geofence Radius (m)')}
    </fieldset>
  );
}
