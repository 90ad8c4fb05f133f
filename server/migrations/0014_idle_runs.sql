-- If a worker is lost, this counts only against those of its runs for which it may have been computing something.
-- works with: 0.2.0

-- Equals `lease` while the run's worker reports that it computes nothing for the run, because every call that it has begun waits
-- for a provider or for a slot. Otherwise null or an older lease number.
alter table runs add column idle_lease integer;
