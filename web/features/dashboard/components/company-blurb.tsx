// What the company is, for whoever starts here.
import { company } from '#company';
import { Panel } from '#web/components/ui/panel.tsx';

export function CompanyBlurb() {
  return (
    <Panel title={company.name}>
      <div className="grid gap-3 text-pretty text-muted lg:grid-cols-3 lg:gap-8">
        <p>{company.growth}</p>
        <p>
          <strong className="font-semibold text-ink">Our mission:</strong> {company.mission}
        </p>
        <p>{company.heritage}</p>
      </div>
    </Panel>
  );
}
