-- The league's own key, which signs its answers.
CREATE TABLE league (one boolean PRIMARY KEY DEFAULT true CHECK (one), key bytea NOT NULL);

-- The enrolled boards. act, act_id and hash are the last stored act and the chain after it.
CREATE TABLE boards (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL UNIQUE,
  name text NOT NULL UNIQUE,
  key bytea,
  act bigint NOT NULL DEFAULT 0,
  act_id text NOT NULL DEFAULT '',
  hash text NOT NULL DEFAULT '',
  program text NOT NULL DEFAULT '',
  problem text NOT NULL DEFAULT '',
  seen timestamptz,
  repeated bigint NOT NULL DEFAULT 0
);

-- All acts. body holds keeps, made and the seats of bots as the board sent them, with numbers of players for names.
CREATE TABLE acts (
  board int NOT NULL REFERENCES boards,
  game int NOT NULL,
  act int NOT NULL,
  hash bytea NOT NULL,
  at timestamptz NOT NULL,
  body jsonb NOT NULL,
  PRIMARY KEY (board, game, act),
  UNIQUE (board, act)
);

-- A summary of each game, which the workers keep. act is the last act of the game.
CREATE TABLE games (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  board int NOT NULL REFERENCES boards,
  number int NOT NULL,
  act int NOT NULL,
  over boolean NOT NULL,
  last_at timestamptz NOT NULL,
  live jsonb NOT NULL,
  review jsonb,
  UNIQUE (board, number)
);
CREATE INDEX games_newest ON games (board, act DESC);

-- A player is board and name. key is a hash of both. A name is empty while no game has it, and for ever once it is
-- removed. person is the player who stands for all players that are one human being.
CREATE SEQUENCE player_id AS int;
CREATE TABLE players (
  id int PRIMARY KEY DEFAULT nextval('player_id'),
  board int NOT NULL REFERENCES boards,
  key bytea NOT NULL,
  name text NOT NULL,
  person int NOT NULL REFERENCES players,
  bot boolean NOT NULL,
  removed boolean NOT NULL DEFAULT false,
  UNIQUE (board, key)
);
CREATE INDEX players_person ON players (person);

-- The places of people in finished games.
CREATE TABLE results (
  game int NOT NULL REFERENCES games ON DELETE CASCADE,
  player int NOT NULL REFERENCES players,
  side int NOT NULL,
  place int NOT NULL,
  PRIMARY KEY (game, player)
);
CREATE INDEX results_player ON results (player);

-- Seasons and tournaments, whose entrants are persons.
CREATE TABLE competitions (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  form text NOT NULL CHECK (form IN ('round_robin', 'knock_out')),
  rules text NOT NULL,
  begins date NOT NULL,
  ends date NOT NULL
);
CREATE TABLE entrants (
  competition int NOT NULL REFERENCES competitions ON DELETE CASCADE,
  seed int NOT NULL,
  person int NOT NULL REFERENCES players,
  PRIMARY KEY (competition, seed),
  UNIQUE (competition, person)
);
CREATE TABLE matches (
  competition int NOT NULL REFERENCES competitions ON DELETE CASCADE,
  game int NOT NULL REFERENCES games ON DELETE CASCADE,
  first int NOT NULL REFERENCES players,
  second int NOT NULL REFERENCES players,
  first_place int NOT NULL,
  second_place int NOT NULL,
  PRIMARY KEY (competition, game)
);
CREATE INDEX matches_game ON matches (game);

CREATE TABLE ratings (
  person int PRIMARY KEY REFERENCES players,
  value float NOT NULL,
  deviation float NOT NULL,
  games int NOT NULL
);

-- What was refused, and why; board is null for messages of no enrolled board.
CREATE TABLE refusals (
  board int REFERENCES boards,
  why text NOT NULL,
  count bigint NOT NULL,
  at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (board, why)
);
