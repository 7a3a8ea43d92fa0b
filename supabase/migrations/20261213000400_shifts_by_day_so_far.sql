-- What was planned before the triggers of private.shift_days. A migration of its own: nobody waits while it counts.
select private.recount_shift_days();
