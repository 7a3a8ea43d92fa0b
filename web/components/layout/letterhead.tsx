import { company } from '#company';

export function Letterhead() {
  return (
    <div className="border-b-2 border-accent-fill pb-4">
      <p className="font-display text-xl">{company.name}</p>
      <p className="text-sm text-muted">
        {company.addressLabel} · {company.hotline} · {company.email}
      </p>
    </div>
  );
}
