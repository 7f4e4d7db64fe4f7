// === vulnerable: csrf disabled with a form login
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
@EnableWebSecurity
public class SecurityConfig {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        http.csrf(csrf -> csrf.disable())
            .authorizeHttpRequests(a -> a.anyRequest().authenticated())
            .formLogin(Customizer.withDefaults());
        return http.build();
    }
}

// === vulnerable: AbstractHttpConfigurer::disable
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
public class WebSecurity {
    @Bean
    public SecurityFilterChain web(HttpSecurity http) throws Exception {
        return http
                .csrf(AbstractHttpConfigurer::disable)
                .formLogin(form -> form.loginPage("/login").permitAll())
                .logout(Customizer.withDefaults())
                .build();
    }
}

// === vulnerable: chained old style
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
public class LegacySecurity {
    @Bean
    public SecurityFilterChain legacy(HttpSecurity http) throws Exception {
        http.authorizeRequests().anyRequest().authenticated()
            .and().formLogin()
            .and().csrf().disable();
        return http.build();
    }
}

// === vulnerable: csrf configurer method reference
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
public class ShopSecurity {
    @Bean
    public SecurityFilterChain shop(HttpSecurity http) throws Exception {
        http.csrf(CsrfConfigurer::disable);
        http.formLogin(form -> form.defaultSuccessUrl("/cart"));
        http.rememberMe(Customizer.withDefaults());
        return http.build();
    }
}

// === vulnerable: everything ignored
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
public class AdminSecurity {
    @Bean
    public SecurityFilterChain admin(HttpSecurity http) throws Exception {
        http.securityMatcher("/admin/**")
            .csrf(c -> c.ignoringRequestMatchers("/**"))
            .formLogin(Customizer.withDefaults());
        return http.build();
    }
}

// === safe: defaults
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
@EnableWebSecurity
public class SecurityConfig {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
        http.csrf(Customizer.withDefaults())
            .authorizeHttpRequests(a -> a.anyRequest().authenticated())
            .formLogin(Customizer.withDefaults());
        return http.build();
    }
}

// === safe: cookie repository
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;

@Configuration
public class WebSecurity {
    @Bean
    public SecurityFilterChain web(HttpSecurity http) throws Exception {
        http.csrf(csrf -> csrf.csrfTokenRepository(CookieCsrfTokenRepository.withHttpOnlyFalse()));
        http.formLogin(form -> form.loginPage("/login").permitAll());
        return http.build();
    }
}

// === safe: other features disabled, csrf kept
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
public class HeaderSecurity {
    @Bean
    public SecurityFilterChain web(HttpSecurity http) throws Exception {
        http.httpBasic(basic -> basic.disable())
            .rememberMe(AbstractHttpConfigurer::disable)
            .formLogin(Customizer.withDefaults());
        return http.build();
    }
}

// === safe: session repository
package com.acme.portal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;

@Configuration
public class ShopSecurity {
    @Bean
    public SecurityFilterChain shop(HttpSecurity http) throws Exception {
        HttpSessionCsrfTokenRepository repository = new HttpSessionCsrfTokenRepository();
        repository.setHeaderName("X-SHOP-CSRF");
        http.csrf(csrf -> csrf.csrfTokenRepository(repository)).formLogin(Customizer.withDefaults());
        return http.build();
    }
}

// === safe: disable of a scheduler
package com.acme.portal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

@Component
public class Maintenance {
    interface Job {
        Job csrf();
        void disable();
    }

    private final Map<String, Runnable> jobs = new ConcurrentHashMap<>();

    public void disable(String name) {
        jobs.remove(name);
    }
}

// === vulnerable: the old way of switching it off, with sessions
package com.example.config;

import org.springframework.context.annotation.*;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.WebSecurityConfigurerAdapter;

@Configuration
class WebSecurity extends WebSecurityConfigurerAdapter {
    @Override
    protected void configure(HttpSecurity http) throws Exception {
        http
            .authorizeRequests().antMatchers("/admin/**").hasRole("ADMIN").anyRequest().authenticated()
            .and()
            .formLogin().loginPage("/login")
            .and()
            .csrf().disable();
    }
}
