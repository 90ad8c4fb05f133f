-- A cache entry keeps the message of the call that made its outputs, for example which sizes “Render ad” left out. It is null for a
-- call without a message. Older versions neither read nor write the column, so it is also null in the entries that they make.
-- works with: 0.2.0

alter table node_cache add column message text;
