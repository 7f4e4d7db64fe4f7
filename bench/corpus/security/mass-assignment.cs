// === vulnerable: entity bound and added
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class User
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public bool IsAdmin { get; set; }
}

public class AppDb : DbContext
{
    public DbSet<User> Users => Set<User>();
}

public class UsersController : Controller
{
    private readonly AppDb _db;

    public UsersController(AppDb db) => _db = db;

    [HttpPost]
    public IActionResult Create(User user)
    {
        _db.Users.Add(user);
        _db.SaveChanges();
        return RedirectToAction("Index");
    }
}

// === vulnerable: body entity updated
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Account
{
    public int Id { get; set; }
    public string Email { get; set; } = "";
    public string Role { get; set; } = "user";
}

public class AppDb : DbContext
{
    public DbSet<Account> Accounts => Set<Account>();
}

[ApiController]
public class AccountsController : ControllerBase
{
    private readonly AppDb _db;

    public AccountsController(AppDb db) => _db = db;

    [HttpPut("/accounts")]
    public IActionResult Update([FromBody] Account account)
    {
        _db.Accounts.Update(account);
        _db.SaveChanges();
        return NoContent();
    }
}

// === vulnerable: TryUpdateModelAsync without a list
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Member
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public bool IsAdmin { get; set; }
}

public class AppDb : DbContext
{
    public DbSet<Member> Members => Set<Member>();
}

public class MembersController : Controller
{
    private readonly AppDb _db;

    public MembersController(AppDb db) => _db = db;

    [HttpPost]
    public async Task<IActionResult> Edit(int id)
    {
        var member = _db.Members.Find(id)!;
        await TryUpdateModelAsync(member);
        await _db.SaveChangesAsync();
        return Ok();
    }
}

// === vulnerable: SetValues from the bound entity
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Profile
{
    public int Id { get; set; }
    public string Bio { get; set; } = "";
    public string Role { get; set; } = "user";
}

public class AppDb : DbContext
{
    public DbSet<Profile> Profiles => Set<Profile>();
}

public class ProfileController : Controller
{
    private readonly AppDb _db;

    public ProfileController(AppDb db) => _db = db;

    [HttpPost("/profile/{id:int}")]
    public IActionResult Save(int id, [FromForm] Profile input)
    {
        var profile = _db.Profiles.Find(id)!;
        _db.Entry(profile).CurrentValues.SetValues(input);
        _db.SaveChanges();
        return NoContent();
    }
}

// === vulnerable: minimal API saves the entity
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.EntityFrameworkCore;

var app = WebApplication.Create(args);

app.MapPost("/customers", async (Customer customer, AppDb db) =>
{
    db.Customers.Add(customer);
    await db.SaveChangesAsync();
    return Results.Created($"/customers/{customer.Id}", customer);
});

app.Run();

public class Customer
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public bool IsAdmin { get; set; }
}

public class AppDb : DbContext
{
    public DbSet<Customer> Customers => Set<Customer>();
}

// === safe: view model
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class User
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public bool IsAdmin { get; set; }
}

public record UserForm(string Name);

public class AppDb : DbContext
{
    public DbSet<User> Users => Set<User>();
}

public class UsersController : Controller
{
    private readonly AppDb _db;

    public UsersController(AppDb db) => _db = db;

    [HttpPost]
    public IActionResult Create(UserForm form)
    {
        _db.Users.Add(new User { Name = form.Name });
        _db.SaveChanges();
        return RedirectToAction("Index");
    }
}

// === safe: Bind list
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Member
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public bool IsAdmin { get; set; }
}

public class AppDb : DbContext
{
    public DbSet<Member> Members => Set<Member>();
}

public class MembersController : Controller
{
    private readonly AppDb _db;

    public MembersController(AppDb db) => _db = db;

    [HttpPost]
    public IActionResult Create([Bind("Name")] Member member)
    {
        _db.Members.Add(member);
        _db.SaveChanges();
        return Ok();
    }
}

// === safe: TryUpdateModelAsync with fields
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Member
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public bool IsAdmin { get; set; }
}

public class AppDb : DbContext
{
    public DbSet<Member> Members => Set<Member>();
}

public class MembersController : Controller
{
    private readonly AppDb _db;

    public MembersController(AppDb db) => _db = db;

    [HttpPost]
    public async Task<IActionResult> Edit(int id)
    {
        var member = _db.Members.Find(id)!;
        await TryUpdateModelAsync(member, "", m => m.Name);
        await _db.SaveChangesAsync();
        return Ok();
    }
}

// === safe: BindNever on the role
using Microsoft.AspNetCore.Mvc.ModelBinding;
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Account
{
    public int Id { get; set; }
    public string Email { get; set; } = "";

    [BindNever]
    public string Role { get; set; } = "user";
}

public class AppDb : DbContext
{
    public DbSet<Account> Accounts => Set<Account>();
}

public class AccountsController : Controller
{
    private readonly AppDb _db;

    public AccountsController(AppDb db) => _db = db;

    [HttpPost]
    public IActionResult Create([FromForm] Account account)
    {
        _db.Accounts.Add(account);
        _db.SaveChanges();
        return Ok();
    }
}

// === safe: single properties copied
using Microsoft.AspNetCore.Mvc;
using Microsoft.EntityFrameworkCore;

public class Profile
{
    public int Id { get; set; }
    public string Bio { get; set; } = "";
    public string Role { get; set; } = "user";
}

public class AppDb : DbContext
{
    public DbSet<Profile> Profiles => Set<Profile>();
}

public class ProfileController : Controller
{
    private readonly AppDb _db;

    public ProfileController(AppDb db) => _db = db;

    [HttpPost("/profile/{id:int}")]
    public IActionResult Save(int id, [FromForm] string bio)
    {
        var profile = _db.Profiles.Find(id)!;
        profile.Bio = bio;
        _db.SaveChanges();
        return NoContent();
    }
}
