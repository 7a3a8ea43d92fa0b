import { Clock } from '/work/wt/z/tests/simulation/clock.ts';
import { Product } from '/work/wt/z/tests/simulation/product.ts';
import { Settling } from '/work/wt/z/tests/simulation/settle.ts';
import { Door } from '/work/wt/z/tests/simulation/door.ts';
import { openWithPassword } from '/work/wt/z/tests/simulation/person.ts';
import fs from 'node:fs';
const clock=new Clock(process.env.CLOCK_FILE!);
fs.rmSync('/tmp/z-data',{recursive:true,force:true});
clock.moveTo(Date.parse('2027-01-25T08:00Z'),true);
const p=new Product({port:3990,dataDir:'/tmp/z-data',clockFile:process.env.CLOCK_FILE!});
let t=performance.now(); const lap=(w:string)=>{console.log(w,Math.round(performance.now()-t));t=performance.now()};
try{
await p.start(); lap('start');
const out=await p.command('scripts/admin-create.ts','--email','ada@x.example'); lap('admin');
const pw=/: (\S+)\s*$/.exec(out)![1]!;
console.log(out, new Date().toISOString(), await p.sql('select now()'));
const door=new Door(p.url); await door.open();
const ada=await openWithPassword(door,'Ada','ada@x.example',pw); lap('sign in');
console.log(ada.id, await ada.client.from('sites').select());
const s=new Settling(p,clock);
await s.everything(); lap('settle');
for(let i=0;i<10;i++){clock.moveTo(Date.now()+3600_000);await s.everything();lap('hour '+i)}
console.log(await p.sql('select now(), (select max(last_run_at) from private.jobs)'), await ada.client.from('sites').select());
for(let i=0;i<3;i++){clock.moveTo(Date.now()+86400_000);await s.everything();lap('day '+i)}
console.log(p.takeComplaints());
} finally { await p.stop(); lap('stop')}
