/// The constructors of the structs in Graph files.

function Vec2(_x = 0, _y = 0) constructor
{
    x = _x;
    y = _y;

    ELEPHANT_SCHEMA
    {
        v1 : { x : buffer_f32, y : buffer_f32 },
    }
}

function Item(_id = "", _count = 1) constructor
{
    id     = _id;
    count  = _count;
    rarity = 0;

    ELEPHANT_SCHEMA
    {
        v1 : { id : buffer_string, count : buffer_u16, rarity : buffer_u8 },
    }
}

function Actor() constructor
{
    name      = "";
    alive     = true;
    hp        = 0;
    xp        = 0;
    uid       = 0;
    position  = new Vec2();
    inventory = [];
    target    = undefined;

    ELEPHANT_SCHEMA
    {
        v1 : { name : buffer_string, hp : buffer_u8 },
        v2 : {
            name      : buffer_string,
            alive     : buffer_bool,
            hp        : buffer_s32,
            xp        : buffer_f64,
            uid       : buffer_u64,
            position  : buffer_struct,
            inventory : buffer_array,
            target    : buffer_any,
        },
    }
}

function Effect() constructor
{
    kind = "";
    left = 0;
}

function Lamp() constructor
{
    bend   = 0;
    glow   = 1;
    height = 0;
    label  = "";
    tint   = 0;

    ELEPHANT_SCHEMA
    {
        v1 : { bend : buffer_s8, glow : buffer_f16, height : buffer_s16, label : buffer_text, tint : buffer_u32 },
    }
}
