-- The units of a checkpoint keep when they started and ended, so that a restore brings these times back. Both are null in rows that
-- older versions write; a restore makes the times of such a unit up from its duration. They make a row about 20 bytes longer; that
-- of one picture has about 400.
-- works with: 0.2.0

alter table checkpoint_units add column started_at timestamptz(3), add column finished_at timestamptz(3);
