-- What an issuer has said of a person is kept, so that a sign-in does not fill in again what an admin has removed.
-- works with: 0.2.0

-- The profile that the issuer stated at the last sign-in; null where it has stated none, or none since this migration. A sign-in at an
-- older version leaves it as it is.
alter table identities add column said_name text, add column said_email text, add column said_image_url text;
