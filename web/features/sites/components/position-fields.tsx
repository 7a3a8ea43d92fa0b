// Where a site is and how far its fence reaches: on the map, or typed.
import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { wholeNumberOf } from '#web/lib/form-fields/whole-number-field.ts';
import { useSitesOnMap } from '../api/sites-on-map.ts';
import { degreesEntry, pastedPair, positionOf } from '../degrees.ts';
import { type SiteForm, siteSchema } from '../schema.ts';
import { LazySiteMap } from './lazy-site-map.tsx';

type PositionFieldsProps = UseFormReturn<SiteForm> & {
  /** The site that is changed; a new one has none. */
  siteId: string | undefined;
};

export function PositionFields({
  register,
  watch,
  setValue,
  formState,
  siteId,
}: PositionFieldsProps) {
  const { errors } = formState;
  // Without them the map still serves.
  const { data: sites = [] } = useSitesOnMap();
  const [latitude, longitude, radius] = watch(['latitude', 'longitude', 'geofence_radius_m']);

  function setBoth(first: string, second: string) {
    const options = { shouldDirty: true, shouldValidate: true };
    setValue('latitude', first, options);
    setValue('longitude', second, options);
  }
  const pasted = register('latitude');
  return (
    <fieldset className="grid gap-5 sm:col-span-2 sm:grid-cols-3">
      <legend className="mb-1.5 text-sm font-semibold">Position (optional)</legend>
      <div className="grid gap-2 sm:col-span-3">
        <LazySiteMap
          pin={positionOf(latitude, longitude)}
          radius={
            siteSchema.shape.geofence_radius_m.safeParse(radius).success
              ? wholeNumberOf(radius)
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
      <Field label="Latitude" error={errors.latitude?.message}>
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
      <Field label="Longitude" error={errors.longitude?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('longitude')}
            inputMode="text"
            autoComplete="off"
            placeholder="-10.7969"
          />
        )}
      </Field>
      <Field label="Geofence Radius (m)" error={errors.geofence_radius_m?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('geofence_radius_m')}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
      </Field>
    </fieldset>
  );
}
